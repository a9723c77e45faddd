import { COPILOT_MODES, TOOL_NAMES, TOOLS_BY_MODE } from '@copilot/contracts';
import { describe, expect, it } from '@jest/globals';
import { builtInPrompt, promptsWithoutTopology } from './prompt-files';

describe('the prompt files', () => {
  it.each(COPILOT_MODES)('%s has one place for the topology, under a heading of its own', (mode) => {
    expect(builtInPrompt(mode).split('### CURRENT TOPOLOGY\n\n{{topology_info}}')).toHaveLength(2);
    expect(builtInPrompt(mode).split('{{topology_info}}')).toHaveLength(2);
  });

  it.each(COPILOT_MODES)('%s names no tool that the mode does not have', (mode) => {
    const others = TOOL_NAMES.filter((name) => !TOOLS_BY_MODE[mode].includes(name));
    expect(others.filter((name) => builtInPrompt(mode).includes(`\`${name}\``))).toEqual([]);
  });

  it('one without the place is named, for a warning', () => {
    expect(promptsWithoutTopology(builtInPrompt)).toEqual([]);
    const edited = (mode: string) => (mode === 'teaching_assistant' ? 'You teach.' : '{{topology_info}}');
    expect(promptsWithoutTopology(edited)).toEqual(['teaching_assistant']);
  });

  it('the title prompt asks for the title alone, the planner prompt for JSON alone', () => {
    expect(builtInPrompt('title')).toContain('title alone');
    expect(builtInPrompt('planner')).toContain('JSON object alone');
    expect(builtInPrompt('summary')).not.toBe('');
  });
});
