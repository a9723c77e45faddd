import { describe, expect, it } from '@jest/globals';
import { TOOL_NAMES } from '../tools/catalogue';
import { approvalPolicySchema, storedApprovalPolicy, toolsToApprove } from './policy';

const CONFIG = ['execute_multiple_device_config_commands', 'execute_vpcs_commands'];

describe('an approval policy', () => {
  it.each([
    ['never', []],
    ['config_tools', CONFIG],
    ['all_changing_tools', CONFIG],
    [['gns3_topology_reader'], ['gns3_topology_reader']],
    [[], []],
  ] as const)('%j asks for the approval of %j', (policy, tools) => {
    expect(toolsToApprove([approvalPolicySchema.parse(policy)])).toEqual(tools);
  });

  it('adds to another one, and never takes from it', () => {
    expect(toolsToApprove(['config_tools', 'never'])).toEqual(CONFIG);
    expect(toolsToApprove([['gns3_topology_reader'], 'config_tools'])).toEqual([
      'gns3_topology_reader',
      ...CONFIG,
    ]);
    expect(toolsToApprove([])).toEqual([]);
  });

  it.each(['always', ['no_such_tool'], 7, {}, [7]])('is not %j', (value) => {
    expect(approvalPolicySchema.safeParse(value).success).toBe(false);
  });

  it('covers every tool that it names', () => {
    expect(toolsToApprove([[...TOOL_NAMES]])).toEqual(TOOL_NAMES);
  });

  it('that is stored and cannot be read is the most careful one', () => {
    expect(storedApprovalPolicy('always')).toBe('all_changing_tools');
    expect(storedApprovalPolicy(['no_such_tool'])).toBe('all_changing_tools');
    expect(storedApprovalPolicy(undefined)).toBe('never');
    expect(storedApprovalPolicy(null)).toBe('never');
  });
});
