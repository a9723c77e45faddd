import { COPILOT_MODES, TOOL_NAMES, TOOLS_BY_MODE } from '@copilot/contracts';
import { describe, expect, it } from '@jest/globals';
import { systemPrompt } from './prompt-files';

describe('systemPrompt', () => {
  it.each(COPILOT_MODES)('puts the topology into the prompt of %s', (mode) => {
    const prompt = systemPrompt(mode, 'R1 $& {{x}}');
    expect(prompt).toContain('### CURRENT TOPOLOGY\n\nR1 $& {{x}}');
    expect(prompt).not.toContain('topology_info');
  });

  it('says so when there is no topology', () => {
    expect(systemPrompt('teaching_assistant', null)).toContain('(No topology information available)');
  });

  it.each(COPILOT_MODES)('names in the prompt of %s no tool that the mode does not have', (mode) => {
    const others = TOOL_NAMES.filter((name) => !TOOLS_BY_MODE[mode].includes(name));
    const named = others.filter((name) => systemPrompt(mode, null).includes(`\`${name}\``));
    expect(named).toEqual([]);
  });
});
