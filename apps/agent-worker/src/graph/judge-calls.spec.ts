import { describe, expect, it } from '@jest/globals';
import { judgeCalls } from './judge-calls';

const context = { mode: 'lab_automation_assistant', projectId: 'p' } as const;
const call = (name: string, rawArguments: string) => ({ callId: `id-${name}`, name, rawArguments });

describe('judgeCalls', () => {
  it('lets a known tool with an argument object through', () => {
    expect(judgeCalls([call('gns3_topology_reader', '{}')], 'tool_calls', context)).toEqual([
      { callId: 'id-gns3_topology_reader', name: 'gns3_topology_reader', rawArguments: '{}', args: {} },
    ]);
  });

  it('C13: answers an unknown tool with the names of the known ones', () => {
    const [judged] = judgeCalls([call('nope', '{}')], 'tool_calls', context);
    expect(judged?.refusal).toContain("there is no tool 'nope'");
    expect(judged?.refusal).toContain('gns3_topology_reader');
  });

  it('F7: refuses the call that was cut at the token limit and keeps the ones before it', () => {
    const judged = judgeCalls(
      [call('gns3_topology_reader', '{}'), call('execute_vpcs_commands', '{"device_configs":[]}')],
      'length',
      context,
    );
    expect(judged[0]?.refusal).toBeUndefined();
    expect(judged[1]?.refusal).toContain('cut at the token limit');
  });

  it('F9: keeps a faulty argument text in the conversation, bounded', () => {
    const [judged] = judgeCalls(
      [call('gns3_topology_reader', `{x: ${'1'.repeat(5_000)}`)],
      'tool_calls',
      context,
    );
    expect(judged?.refusal).toContain('not valid JSON');
    expect(String(judged?.args.invalid_arguments)).toHaveLength(2_000);
  });

  it.each([
    ['execute_vpcs_commands', '{"device_configs":"PC1"}', 'are not valid: device_configs'],
    ['gns3_topology_reader', '{"project_id":"22222222-2222-4222-8222-222222222222"}', 'is not the project'],
  ])('C13: refuses %s %s before it counts as a call', (name, rawArguments, fault) => {
    const [judged] = judgeCalls([call(name, rawArguments)], 'tool_calls', context);
    expect(judged?.refusal).toContain(fault);
  });

  it('refuses what the mode does not offer', () => {
    const raw = '{"device_configs":[{"device_name":"R1","config_commands":["hostname X"]}]}';
    const teaching = { ...context, mode: 'teaching_assistant' } as const;
    const [judged] = judgeCalls(
      [call('execute_multiple_device_config_commands', raw)],
      'tool_calls',
      teaching,
    );
    expect(judged?.refusal).toContain("not available in mode 'teaching_assistant'");
  });
});
