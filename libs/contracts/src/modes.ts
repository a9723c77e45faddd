import type { ToolName } from './tools/catalogue';

/** What the assistant is allowed to be; comes from the model config's `copilot_mode`. */
export const COPILOT_MODES = [
  'teaching_assistant',
  'lab_automation_assistant',
  'troubleshooting_injection',
] as const;
export type CopilotMode = (typeof COPILOT_MODES)[number];

/** A missing or unknown mode is the most careful one. */
export function toCopilotMode(value: unknown): CopilotMode {
  const wanted = typeof value === 'string' ? value.toLowerCase() : '';
  return COPILOT_MODES.find((mode) => mode === wanted) ?? 'teaching_assistant';
}

/**
 * Tools of each mode. The agent binds them to the model and the tool worker refuses every other one,
 * since a model may name a tool that it was never given.
 */
export const TOOLS_BY_MODE: Record<CopilotMode, readonly ToolName[]> = {
  teaching_assistant: [
    'gns3_topology_reader',
    'gns3_node_details',
    'read_tool_output',
    'execute_multiple_device_commands',
  ],
  lab_automation_assistant: [
    'gns3_topology_reader',
    'gns3_node_details',
    'read_tool_output',
    'execute_multiple_device_commands',
    'execute_multiple_device_config_commands',
    'execute_vpcs_commands',
  ],
  troubleshooting_injection: [
    'gns3_topology_reader',
    'gns3_node_details',
    'read_tool_output',
    'execute_multiple_device_commands',
    'execute_multiple_device_config_commands',
  ],
};
