import { COPILOT_MODES, TOOL_NAMES, TOOLS_BY_MODE } from '@copilot/contracts';
import { describe, expect, it } from '@jest/globals';
import { PROMPTS, promptsWithoutTopology, TITLE_PROMPT } from './prompt-files';

describe('the prompt files', () => {
  it.each(COPILOT_MODES)('%s has one place for the topology, under a heading of its own', (mode) => {
    expect(PROMPTS[mode].split('### CURRENT TOPOLOGY\n\n{{topology_info}}')).toHaveLength(2);
    expect(PROMPTS[mode].split('{{topology_info}}')).toHaveLength(2);
  });

  it.each(COPILOT_MODES)('%s names no tool that the mode does not have', (mode) => {
    const others = TOOL_NAMES.filter((name) => !TOOLS_BY_MODE[mode].includes(name));
    expect(others.filter((name) => PROMPTS[mode].includes(`\`${name}\``))).toEqual([]);
  });

  it('one without the place is named, for a warning', () => {
    expect(promptsWithoutTopology(PROMPTS)).toEqual([]);
    expect(promptsWithoutTopology({ teaching: 'You teach.', lab: 'Lab: {{topology_info}}' })).toEqual([
      'teaching',
    ]);
  });

  it('the title prompt asks for the title alone', () => {
    expect(TITLE_PROMPT).toContain('title alone');
  });
});
