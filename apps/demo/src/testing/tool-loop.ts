import { z } from 'zod';
import type { DemoClient } from './demo-client';

const deviceArgs = z.object({
  device_configs: z.array(
    z.object({
      device_name: z.string(),
      commands: z.array(z.string()).optional(),
      config_commands: z.array(z.string()).optional(),
    }),
  ),
});
const completion = z.object({
  choices: z.array(
    z.object({
      message: z.object({
        role: z.literal('assistant'),
        content: z.string().nullable(),
        tool_calls: z
          .array(
            z.object({
              id: z.string(),
              type: z.literal('function'),
              function: z.object({ name: z.string(), arguments: z.string() }),
            }),
          )
          .optional(),
      }),
      finish_reason: z.string(),
    }),
  ),
});

export const ALL_TOOLS = [
  'gns3_topology_reader',
  'execute_multiple_device_commands',
  'execute_multiple_device_config_commands',
  'execute_vpcs_commands',
];

const MAX_ROUNDS = 8;

export interface LoopResult {
  readonly answer: string;
  /** Tools called, one list a round. */
  readonly rounds: readonly (readonly string[])[];
  readonly texts: readonly string[];
}

/** The smallest agent: asks the model, carries out its calls on the consoles, until it answers. */
export async function askWithTools(
  client: DemoClient,
  system: string,
  question: string,
  tools = ALL_TOOLS,
): Promise<LoopResult> {
  const messages: unknown[] = [
    { role: 'system', content: system },
    { role: 'user', content: question },
  ];
  const rounds: string[][] = [];
  const texts: string[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const message = await askModel(client, messages, tools);
    messages.push(message);
    texts.push(message.content ?? '');
    if (!message.tool_calls) return { answer: message.content ?? '', rounds, texts };
    rounds.push(message.tool_calls.map((call) => call.function.name));
    for (const call of message.tool_calls) {
      const content = await runTool(client, call.function.name, JSON.parse(call.function.arguments));
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
  }
  throw new Error(`no answer after ${MAX_ROUNDS} rounds`);
}

async function askModel(
  client: DemoClient,
  messages: readonly unknown[],
  tools: readonly string[],
): Promise<z.output<typeof completion>['choices'][number]['message']> {
  const response = await fetch(`${client.demo.modelUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer any-key' },
    body: JSON.stringify({
      model: 'demo-netops',
      messages,
      tools: tools.map((name) => ({
        type: 'function',
        function: { name, parameters: { type: 'object', properties: {} } },
      })),
    }),
  });
  const [choice] = completion.parse(await response.json()).choices;
  if (!choice) throw new Error('a completion without a choice');
  return choice.message;
}

async function runTool(client: DemoClient, tool: string, args: unknown): Promise<string> {
  if (tool === 'gns3_topology_reader') {
    return JSON.stringify({
      nodes: await client.get(`/v3/projects/${client.demo.projectId}/nodes`),
      links: [],
    });
  }
  const { device_configs: devices } = deviceArgs.parse(args);
  const results = [];
  for (const { device_name: name, commands, config_commands: lines } of devices) {
    const output = commands ? await type(client, name, commands) : await configure(client, name, lines ?? []);
    results.push({ device_name: name, status: /^% /m.test(output) ? 'failed' : 'success', output });
  }
  return JSON.stringify(results);
}

async function type(client: DemoClient, name: string, commands: readonly string[]): Promise<string> {
  const console = await client.openConsole(name);
  const isPc = name.startsWith('PC');
  const prompt = isPc ? /PC\d+> $/ : /\nR\d+#$/;
  await console.ask('', isPc ? prompt : /R\d+[>#]$/);
  if (!isPc) {
    await console.ask('enable', prompt);
    await console.ask('terminal length 0', prompt);
  }
  let output = '';
  for (const command of commands) output += await console.ask(command, prompt);
  console.close();
  return output;
}

async function configure(client: DemoClient, name: string, lines: readonly string[]): Promise<string> {
  const console = await client.openConsole(name);
  await console.ask('', /R\d+[>#]$/);
  await console.ask('enable', /\nR\d+#$/);
  await console.ask('configure terminal', /\(config\)#$/);
  let output = '';
  for (const line of lines) output += await console.ask(line, /\(config[a-z-]*\)#$/);
  await console.ask('end', /CONFIG_I.*\nR\d+#$/);
  console.close();
  return output;
}
