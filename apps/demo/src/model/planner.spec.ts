import { describe, expect, it } from '@jest/globals';
import { chatRequest } from './chat-request';
import { readConversation } from './conversation';
import { plan, type Plan } from './planner';
import { callId } from './turn';

const TOPOLOGY = [
  'Project: demo (id 11111111-1111-4111-8111-111111111111, opened)',
  '- R1 | qemu | started | telnet | cisco_ios_telnet | GigabitEthernet0/0, GigabitEthernet0/1 | Gi0/2',
  '- R2 | qemu | started | telnet | cisco_ios_telnet | GigabitEthernet0/0 | -',
  '- R10 | qemu | started | telnet | cisco_ios_telnet | - | Gi0/0',
  '- SW1 | ethernet_switch | started | none | - | - | -',
  '- PC1 | vpcs | started | telnet | gns3_vpcs_telnet | Ethernet0 | -',
  '- R1 GigabitEthernet0/1 <-> SW1 Ethernet0',
  '- R1 GigabitEthernet0/0 <-> R2 GigabitEthernet0/0',
].join('\n');

const DEVICE_TOOLS = [
  'execute_multiple_device_commands',
  'execute_multiple_device_config_commands',
  'execute_vpcs_commands',
];
const BRIEF = [
  'Interface                  IP-Address      OK? Method Status                Protocol',
  'GigabitEthernet0/0         unassigned      YES NVRAM  administratively down down    ',
  'GigabitEthernet0/1         192.168.1.1     YES NVRAM  up                    up      ',
].join('\n');

interface Setting {
  readonly system?: string;
  readonly tools?: readonly string[];
  readonly toolChoice?: string;
  readonly before?: readonly unknown[];
  readonly after?: readonly unknown[];
}

function ask(question: string, setting: Setting = {}): Plan {
  const { system = TOPOLOGY, tools = DEVICE_TOOLS, toolChoice, before = [], after = [] } = setting;
  return plan(
    readConversation(
      chatRequest.parse({
        model: 'demo-netops',
        messages: [
          { role: 'system', content: system },
          ...before,
          { role: 'user', content: question },
          ...after,
        ],
        tools: tools.map((name) => ({ type: 'function', function: { name } })),
        ...(toolChoice === undefined ? {} : { tool_choice: toolChoice }),
      }),
    ),
  );
}

function round(stage: number, tool: string, result: unknown): unknown[] {
  const id = callId(stage, 'abc');
  return [
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id, type: 'function', function: { name: tool, arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: id, content: typeof result === 'string' ? result : JSON.stringify(result) },
  ];
}

const good = (device: string, output: string): unknown => [
  { device_name: device, status: 'success', output },
];

describe('the demo model', () => {
  it('says what it is in the first answer of a conversation, and only there', () => {
    expect(ask('hello').text).toMatch(/^I am the demo model: a rule-driven stand-in, not an AI/);
    expect(ask('你好').text).toMatch(/^我是演示模型/);
    const before = [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'Hello' },
    ];
    expect(ask('hello', { before }).text).not.toContain('I am the demo model');
  });

  it.each([
    [
      'Check the interface status of all devices',
      ['execute_multiple_device_commands', 'execute_vpcs_commands'],
    ],
    ['检查所有设备的接口状态', ['execute_multiple_device_commands', 'execute_vpcs_commands']],
    ['Show the interfaces of R2', ['execute_multiple_device_commands']],
    ['Configure 10.0.12.1/30 on R1, then ping 10.0.12.2', ['execute_multiple_device_commands']],
    ['Give PC1 192.168.1.20/24 gateway 192.168.1.1', ['execute_vpcs_commands']],
    ['configure OSPF on all routers', ['execute_multiple_device_commands']],
    ['Ping 10.0.12.2 from R1', ['execute_multiple_device_commands']],
    ['从 PC1 ping 192.168.1.1', ['execute_vpcs_commands']],
    ['Static route on R1 to 192.168.2.0/24 via 10.0.12.2', ['execute_multiple_device_config_commands']],
    ['保存配置', ['execute_multiple_device_config_commands']],
    ['Compare R1 and R2', ['execute_multiple_device_commands', 'execute_multiple_device_commands']],
    ['版本是多少', ['execute_multiple_device_commands']],
    ['Show the routing table of R1', ['execute_multiple_device_commands']],
    ['OSPF 邻居', ['execute_multiple_device_commands']],
    ['Shut down g0/1 on R2', ['execute_multiple_device_config_commands']],
    ['run show clock on R1', ['execute_multiple_device_commands']],
    ['Inject 2 network fault(s) for troubleshooting practice', ['execute_multiple_device_commands']],
    ['Show the topology', []],
    ['Write me a poem', []],
  ])('plans tool calls for %j', (question, tools) => {
    expect(ask(question).calls.map((call) => call.tool)).toEqual(tools);
  });

  it('tells R1 and R10 apart', () => {
    expect(ask('show version of R10').calls[0]?.args).toEqual({
      device_configs: [{ device_name: 'R10', commands: ['show version'] }],
    });
  });

  it.each([
    ['ping R2 from R1', 'R2'],
    ['从 R1 ping R2', 'R2'],
    ['can R1 reach R2?', 'R2'],
  ])('looks up the address of the target first: %j', (question, target) => {
    expect(ask(question).calls[0]?.devices).toEqual([
      { device: target, commands: ['show ip interface brief'] },
    ]);
  });

  it('configures the link to the next router when no interface is named', () => {
    const after = round(0, 'execute_multiple_device_commands', good('R1', BRIEF));
    expect(ask('configure 10.0.12.1/30 on R1', { after }).calls[0]?.devices).toEqual([
      {
        device: 'R1',
        commands: ['interface GigabitEthernet0/0', 'ip address 10.0.12.1 255.255.255.252', 'no shutdown'],
      },
    ]);
  });

  it('configures the interface that is named', () => {
    const after = round(0, 'execute_multiple_device_commands', good('R1', BRIEF));
    const { calls } = ask('configure 10.9.9.1 255.255.255.0 on R1 gi0/2', { after });
    expect(calls[0]?.devices[0]?.commands[0]).toBe('interface GigabitEthernet0/2');
  });

  it('goes on from the last stage when earlier ones were trimmed away', () => {
    const after = round(
      2,
      'execute_multiple_device_commands',
      good('R1', `${BRIEF}\nSuccess rate is 100 percent (5/5)`),
    );
    const { text, calls } = ask('configure 10.0.12.1/30 on R1, then ping 10.0.12.2', { after });
    expect(calls).toEqual([]);
    expect(text).toContain('R1 reaches 10.0.12.2');
  });

  it('reads the stage from the number of rounds when the ids are not its own', () => {
    const after = [
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          {
            id: 'x1',
            type: 'function',
            function: { name: 'execute_multiple_device_commands', arguments: '{}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'x1', content: JSON.stringify(good('R1', 'R1 uptime is 3 minutes')) },
    ];
    expect(ask('show version of R1', { after }).text).toContain('uptime is 3 minutes');
  });

  it('reads a result that was shortened and is no longer JSON', () => {
    const cut = JSON.stringify(good('R1', BRIEF)).slice(0, -40);
    const after = round(0, 'execute_multiple_device_commands', cut);
    expect(ask('interface status of R1', { after }).text).toContain('GigabitEthernet0/0');
  });

  it.each([
    ['a refusal', 'Tool execute_multiple_device_commands is not allowed in this mode', 'refused by policy'],
    [
      'a device error',
      [{ device_name: 'R1', status: 'failed', output: '', error: 'R1 is stopped' }],
      '**R1**: R1 is stopped',
    ],
    [
      'an aborted call',
      { status: 'aborted', message: 'Tool execution was aborted by user' },
      'aborted by user',
    ],
    [
      'a line that IOS refused',
      good('R1', "R1#shw ver\n  ^\n% Invalid input detected at '^' marker."),
      'The device refused the command itself',
    ],
    ['an empty result', '', 'empty result'],
  ])('stops and explains %s', (_what, result, text) => {
    const answer = ask('show version of R1', { after: round(0, 'execute_multiple_device_commands', result) });
    expect(answer.calls).toEqual([]);
    expect(answer.text).toContain(text);
  });

  it('goes on with the devices that answered, and names the one that did not', () => {
    const after = round(0, 'execute_multiple_device_commands', [
      { device_name: 'R1', status: 'success', output: BRIEF },
      { device_name: 'R2', status: 'failed', output: '', error: 'R2 is stopped' },
    ]);
    const { text } = ask('interface status of R1 and R2', { after });
    expect(text).toContain('| R1 | GigabitEthernet0/1 | 192.168.1.1 | up |');
    expect(text).toContain('**R2**: R2 is stopped');
  });

  it('says that the mode does not allow a tool that is not offered, and shows what to type instead', () => {
    const tools = ['execute_multiple_device_commands'];
    const { text, calls } = ask('Static route on R1 to 192.168.2.0/24 via 10.0.12.2', { tools });
    expect(calls).toEqual([]);
    expect(text).toContain('the current mode does not allow it');
    expect(text).toContain('ip route 192.168.2.0 255.255.255.0 10.0.12.2');
  });

  it('answers from what it has when tools are not to be called', () => {
    const after = round(0, 'execute_multiple_device_commands', good('R1', BRIEF));
    const { text, calls } = ask('configure OSPF on R1', { after, toolChoice: 'none' });
    expect(calls).toEqual([]);
    expect(text).toContain('finish without further tool calls');
  });

  it('reads the topology with a tool when the prompt does not have it, then goes on', () => {
    const tools = ['gns3_topology_reader', ...DEVICE_TOOLS];
    const first = ask('show version of R7', { system: 'You help.', tools });
    expect(first.calls.map((call) => call.tool)).toEqual(['gns3_topology_reader']);
    const after = round(0, 'gns3_topology_reader', {
      nodes: [{ name: 'R7', type: 'qemu', status: 'started' }],
      links: [],
    });
    const second = ask('show version of R7', { system: 'You help.', tools, after });
    expect(second.calls[0]?.devices).toEqual([{ device: 'R7', commands: ['show version'] }]);
  });

  it('describes the topology that the tool has read', () => {
    const tools = ['gns3_topology_reader'];
    const read = { status: 'opened', nodes: [{ name: 'R7', type: 'qemu', status: 'started' }], links: [] };
    const { text } = ask('Show the topology', { tools, after: round(0, 'gns3_topology_reader', read) });
    expect(text).toContain('| R7 | qemu | started |');
  });

  it('passes the project where a tool insists on it', () => {
    const conversation = readConversation(
      chatRequest.parse({
        model: 'demo-netops',
        messages: [
          { role: 'system', content: TOPOLOGY },
          { role: 'user', content: 'show version of R1' },
        ],
        tools: [
          { type: 'function', function: { name: DEVICE_TOOLS[0], parameters: { required: ['project_id'] } } },
        ],
      }),
    );
    expect(plan(conversation).calls[0]?.args['project_id']).toBe('11111111-1111-4111-8111-111111111111');
  });

  it('explains the last error of the conversation', () => {
    const before = [
      { role: 'user', content: 'show ip on R1' },
      ...round(0, 'execute_multiple_device_commands', good('R1', 'R1#show ip\n% Incomplete command.')),
      { role: 'assistant', content: 'It failed.' },
    ];
    const { text } = ask('解释上一个错误', { before });
    expect(text).toContain('% Incomplete command.');
    expect(text).toContain('命令后面还缺少参数');
  });

  it('answers a title request with a short title and without its introduction', () => {
    const title = (question: string): string =>
      ask(question, { system: 'You write a title for a conversation.', tools: [] }).text;
    expect(title('Configure OSPF on R1 and R2 please')).toBe('OSPF on R1, R2');
    expect(title('检查所有设备的接口状态')).toBe('接口状态');
    expect(title('Compare R1 and R2')).toBe('Comparison on R1, R2');
    expect(title('Write me a poem')).toBe('Lab question');
    expect(title('User: Save R1\n\nAssistant: OSPF on R2 is enabled')).toBe('Saving the configuration on R1');
  });

  it('shows a fault by its symptom only', () => {
    const down = BRIEF.replace('up                    up', 'administratively down down');
    const after = [
      ...round(0, 'execute_multiple_device_commands', good('R1', BRIEF)),
      ...round(1, 'execute_multiple_device_config_commands', good('R1', 'ok')),
      ...round(2, 'execute_multiple_device_commands', good('R1', down)),
    ];
    const { text } = ask('Inject 1 network fault for troubleshooting practice', { after });
    expect(text).toContain('192.168.1.1 no longer answers');
    expect(text).not.toMatch(/GigabitEthernet|shutdown/);
  });
});
