import { describe, expect, it } from '@jest/globals';
import { judgeCall } from './call-verdict';

const PROJECT = '11111111-1111-4111-8111-111111111111';
const judge = (name: string, args: unknown, copilotMode = 'lab_automation_assistant') =>
  judgeCall({ name, rawArguments: JSON.stringify(args), copilotMode, projectId: PROJECT });

const config = { device_configs: [{ device_name: 'R1', config_commands: ['hostname X'] }] };

describe('judgeCall', () => {
  it('admits a tool of the mode with arguments of its schema, for the own project in any spelling', () => {
    const args = { project_id: PROJECT.toUpperCase(), ...config };
    expect(judge('execute_multiple_device_config_commands', args)).toMatchObject({ admitted: true });
  });

  it.each([
    ['an unknown tool', judge('nope', {}), "there is no tool 'nope'"],
    [
      'a tool of another mode',
      judge('execute_multiple_device_config_commands', config, 'teaching_assistant'),
      "not available in mode 'teaching_assistant'",
    ],
    [
      'an unknown mode like the most careful one',
      judge('execute_multiple_device_config_commands', config, 'whatever'),
      'not available',
    ],
    ['faulty arguments', judge('execute_vpcs_commands', { device_configs: [] }), 'device_configs'],
    [
      'another project',
      judge('gns3_topology_reader', { project_id: PROJECT.replace('1', '2') }),
      'not the project',
    ],
  ])('refuses %s and says why', (_what, verdict, reason) => {
    expect(verdict).toEqual({ admitted: false, refusal: expect.stringContaining(reason) });
  });

  it('refuses what is no JSON', () => {
    const verdict = judgeCall({
      name: 'gns3_topology_reader',
      rawArguments: '{"a"',
      copilotMode: '',
      projectId: PROJECT,
    });
    expect(verdict.admitted).toBe(false);
  });
});
