import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOPOLOGY_PLACEHOLDER } from '@copilot/context-budget';
import {
  COPILOT_MODES,
  PROMPT_NAMES,
  type CopilotMode,
  type PromptName,
  type SkillSet,
} from '@copilot/contracts';

/** Beside this file in the sources, beside the bundle in dist. */
const FOLDER = join(dirname(fileURLToPath(import.meta.url)), 'prompts');

/** Gives the prompt of a mode, with `{{topology_info}}` where the lab goes, or of a hidden call. */
export type Prompts = (name: PromptName) => string;

const texts = new Map<PromptName, string>();

/** The built-in prompts, read once and kept. Throws when a file is missing, so processes read all at boot. */
export const builtInPrompt: Prompts = (name) => {
  const known = texts.get(name) ?? readFileSync(join(FOLDER, `${name}.md`), 'utf8').trim();
  texts.set(name, known);
  return known;
};

export function readBuiltInPrompts(): void {
  PROMPT_NAMES.forEach(builtInPrompt);
}

/** The prompts in force: an operator's own, and the built-in one where there is none. */
export function promptsOf(skills: SkillSet | null): Prompts {
  return (name) => skills?.prompts[name] ?? builtInPrompt(name);
}

/** A prompt file that was edited may have lost its place for the topology; the model would work blindly. */
export function promptsWithoutTopology(prompts: Prompts): CopilotMode[] {
  return COPILOT_MODES.filter((mode) => !prompts(mode).includes(TOPOLOGY_PLACEHOLDER));
}
