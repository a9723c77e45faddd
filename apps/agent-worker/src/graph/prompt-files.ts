import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOPOLOGY_PLACEHOLDER } from '@copilot/context-budget';
import type { CopilotMode } from '@copilot/contracts';

/** Beside this file in the sources, beside the bundle in dist. */
const FOLDER = join(dirname(fileURLToPath(import.meta.url)), 'prompts');

/** Read once at boot: a prompt that is missing must stop the worker, not a run. */
const read = (name: string) => readFileSync(join(FOLDER, `${name}.md`), 'utf8').trim();

/** One a mode, with `{{topology_info}}` where the lab goes. */
export const PROMPTS: Readonly<Record<CopilotMode, string>> = {
  teaching_assistant: read('teaching_assistant'),
  lab_automation_assistant: read('lab_automation_assistant'),
  troubleshooting_injection: read('troubleshooting_injection'),
};

/** A prompt file that was edited may have lost its place for the topology; the model would work blindly. */
export function promptsWithoutTopology(prompts: Readonly<Record<string, string>>): string[] {
  return Object.keys(prompts).filter((mode) => !prompts[mode]?.includes(TOPOLOGY_PLACEHOLDER));
}

export const TITLE_PROMPT = read('title');

export const SUMMARY_PROMPT = read('summary');
