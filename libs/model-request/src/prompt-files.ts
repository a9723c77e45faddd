import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOPOLOGY_PLACEHOLDER } from '@copilot/context-budget';
import { COPILOT_MODES, type CopilotMode } from '@copilot/contracts';

/** Beside this file in the sources, beside the bundle in dist. */
const FOLDER = join(dirname(fileURLToPath(import.meta.url)), 'prompts');

/** Of the calls that viewers do not see. */
export type HiddenPrompt = 'title' | 'summary' | 'planner';

/** The prompt of a mode, with `{{topology_info}}` where the lab goes, or of a hidden call. */
export type PromptName = CopilotMode | HiddenPrompt;

const texts = new Map<PromptName, string>();

/** Read once and kept. Throws when the file is missing, so processes read all of theirs at boot. */
export function promptText(name: PromptName): string {
  const known = texts.get(name) ?? readFileSync(join(FOLDER, `${name}.md`), 'utf8').trim();
  texts.set(name, known);
  return known;
}

/** A prompt file that was edited may have lost its place for the topology; the model would work blindly. */
export function promptsWithoutTopology(read: (mode: CopilotMode) => string = promptText): CopilotMode[] {
  return COPILOT_MODES.filter((mode) => !read(mode).includes(TOPOLOGY_PLACEHOLDER));
}
