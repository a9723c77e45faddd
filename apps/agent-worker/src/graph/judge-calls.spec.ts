import { describe, expect, it } from '@jest/globals';
import { judgeCalls } from './judge-calls';

const call = (name: string, rawArguments: string) => ({ callId: `id-${name}`, name, rawArguments });

describe('judgeCalls', () => {
  it('lets a known tool with an argument object through', () => {
    expect(judgeCalls([call('gns3_topology_reader', '{}')], 'tool_calls')).toEqual([
      { callId: 'id-gns3_topology_reader', name: 'gns3_topology_reader', rawArguments: '{}', args: {} },
    ]);
  });

  it('C13: answers an unknown tool with the names of the known ones', () => {
    const [judged] = judgeCalls([call('nope', '{}')], 'tool_calls');
    expect(judged?.refusal).toContain("there is no tool 'nope'");
    expect(judged?.refusal).toContain('gns3_topology_reader');
  });

  it('F7: refuses the call that was cut at the token limit and keeps the ones before it', () => {
    const judged = judgeCalls(
      [call('gns3_topology_reader', '{}'), call('execute_vpcs_commands', '{"device_configs":[]}')],
      'length',
    );
    expect(judged[0]?.refusal).toBeUndefined();
    expect(judged[1]?.refusal).toContain('cut at the token limit');
  });

  it('F9: keeps a faulty argument text in the conversation, bounded', () => {
    const [judged] = judgeCalls([call('gns3_topology_reader', `{x: ${'1'.repeat(5_000)}`)], 'tool_calls');
    expect(judged?.refusal).toContain('not valid JSON');
    expect(String(judged?.args.invalid_arguments)).toHaveLength(2_000);
  });
});
