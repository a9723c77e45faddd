import { commonSettings, gns3Settings, wholeNumber } from '@copilot/config';
import { z } from 'zod';

export const settingsSchema = z.object({
  ...commonSettings,
  ...gns3Settings,
  TOOL_CONCURRENCY: wholeNumber('TOOL_CONCURRENCY')
    .min(1)
    .max(1_000)
    .default(32)
    .describe('Tool calls that this worker executes at once'),
  FORBIDDEN_COMMANDS_FILE: z
    .string()
    .optional()
    .describe(
      'Commands that no tool may send, one pattern a line, # for comments; replaces the built-in list',
    ),
  DRAIN_SECONDS: wholeNumber('DRAIN_SECONDS')
    .min(0)
    .default(10)
    .describe('On SIGTERM, how long tool calls under way may go on before they are stopped'),
});
export type Settings = z.output<typeof settingsSchema>;

/** Injection token of the parsed settings. */
export const SETTINGS = Symbol('SETTINGS');
