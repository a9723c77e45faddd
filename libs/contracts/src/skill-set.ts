import { z } from 'zod';
import { COPILOT_MODES } from './modes';

/** One prompt for each mode, and those of the calls that viewers do not see. */
export const PROMPT_NAMES = [...COPILOT_MODES, 'title', 'summary', 'planner'] as const;
export type PromptName = (typeof PROMPT_NAMES)[number];

/**
 * What an operator has put in the place of the built-in prompts and forbidden commands. It is in the database,
 * so that the workers of all machines use the same.
 */
export const skillSetSchema = z.object({
  /** Beginning of the SHA-256 of the rest, as hex. */
  version: z.string(),
  /** Prompts that are not in here are the built-in ones. */
  prompts: z.partialRecord(z.enum(PROMPT_NAMES), z.string()),
  /** One pattern each, instead of the built-in list; null: the built-in one. */
  forbiddenCommands: z.array(z.string()).nullable(),
});
export type SkillSet = Readonly<z.output<typeof skillSetSchema>>;
