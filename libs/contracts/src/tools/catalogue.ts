import { z } from 'zod';

/** Run limits count by category. */
export type ToolCategory = 'diagnostic' | 'config' | 'lab';

/**
 * `read-only` calls may be run again after a crash or an error; `changing` ones never by themselves.
 */
export type ToolEffect = 'read-only' | 'changing';

export interface ToolDefinition<Schema extends z.ZodType = z.ZodType> {
  readonly description: string;
  readonly category: ToolCategory;
  readonly effect: ToolEffect;
  readonly args: Schema;
}

const projectId = z
  .uuid()
  .optional()
  .describe('The GNS3 project of this conversation. May be left out; another project is refused.');

const deviceName = z.string().min(1).max(200).describe('Node name exactly as in the topology, e.g. "R1"');
const command = z.string().min(1).max(2000);

const deviceCommands = z
  .array(
    z.object({
      device_name: deviceName,
      commands: z.array(command).min(1).max(100).describe('Sent one by one, in this order'),
    }),
  )
  .min(1)
  .max(100);

const deviceConfigCommands = z
  .array(
    z.object({
      device_name: deviceName,
      config_commands: z
        .array(command)
        .min(1)
        .max(200)
        .describe('Configuration lines in order, without "configure terminal" and "end"'),
    }),
  )
  .min(1)
  .max(100);

/** Every tool a model can be given: name, arguments, what it counts as, and whether it changes anything. */
export const TOOL_CATALOGUE = {
  gns3_topology_reader: {
    description:
      'Reads the current topology of the lab: nodes with type, status, console and ports, and the links between them. Use it when the topology in the prompt may be out of date.',
    category: 'diagnostic',
    effect: 'read-only',
    args: z.object({ project_id: projectId }),
  },
  gns3_node_details: {
    description:
      'Reads one node of the lab: type, status, console, all its ports, and its links with the other ends. Use it where the topology in the prompt is only a summary.',
    category: 'diagnostic',
    effect: 'read-only',
    args: z.object({
      project_id: projectId,
      node_name: z.string().min(1).max(200).describe('Name exactly as in the topology, or the node id'),
    }),
  },
  read_tool_output: {
    description:
      'Reads an earlier tool result of this conversation line by line, or searches it. Use it for a result that is shown shortened; the whole of it is kept.',
    category: 'diagnostic',
    effect: 'read-only',
    args: z.object({
      tool_call_id: z.string().min(1).max(200).describe('As the shortened result names it'),
      offset: z
        .number()
        .int()
        .min(0)
        .max(100_000_000)
        .default(0)
        .describe('Lines (with grep: matches) to skip'),
      limit: z.number().int().min(1).max(500).default(100).describe('Most lines to return'),
      grep: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe('Only lines with this plain text, upper or lower case; no regular expression'),
    }),
  },
  execute_multiple_device_commands: {
    description:
      'Runs read-only commands (show, display, ping and the like) on the consoles of one or more routers or switches, devices in parallel, and returns the output of each. Anything that could change a device is refused.',
    category: 'diagnostic',
    effect: 'read-only',
    args: z.object({ project_id: projectId, device_configs: deviceCommands }),
  },
  execute_multiple_device_config_commands: {
    description:
      'Applies configuration commands on the consoles of one or more routers or switches, devices in parallel. Configuration mode is entered and left for you; send only the lines themselves. The result says which lines the device refused.',
    category: 'config',
    effect: 'changing',
    args: z.object({ project_id: projectId, device_configs: deviceConfigCommands }),
  },
  execute_vpcs_commands: {
    description:
      'Runs commands on VPCS virtual PCs (ip, ping, show ip, save and the like), devices in parallel, and returns the output of each.',
    category: 'config',
    effect: 'changing',
    args: z.object({ project_id: projectId, device_configs: deviceCommands }),
  },
} as const satisfies Record<string, ToolDefinition>;

export type ToolName = keyof typeof TOOL_CATALOGUE;

export const TOOL_NAMES = Object.keys(TOOL_CATALOGUE) as readonly ToolName[];

export type ToolArgs<Name extends ToolName> = z.output<(typeof TOOL_CATALOGUE)[Name]['args']>;

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(TOOL_CATALOGUE, name);
}

/** The JSON schema of a tool's arguments as the model provider gets it. */
export function toolParameters(name: ToolName): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(TOOL_CATALOGUE[name].args, { io: 'input' });
  return schema;
}
