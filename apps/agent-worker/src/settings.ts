import { hostname } from 'node:os';
import { commonSettings, gns3Settings, modelHostSettings, wholeNumber } from '@copilot/config';
import { z } from 'zod';

export const settingsSchema = z.object({
  ...commonSettings,
  ...gns3Settings,
  ...modelHostSettings,
  AGENT_CONCURRENCY: wholeNumber('AGENT_CONCURRENCY')
    .min(1)
    .max(1_000)
    .default(50)
    .describe('Runs that this worker has in a model call at once; runs that wait for tools do not count'),
  DRAIN_SECONDS: wholeNumber('DRAIN_SECONDS')
    .min(0)
    .default(10)
    .describe(
      'On SIGTERM, how long model calls under way may go on before they are handed to another worker',
    ),
});
export type Settings = z.output<typeof settingsSchema>;

/** Names this process in the rows that it claims. */
export const WORKER_NAME = `${hostname()}/${process.pid}`;

/** Injection token of the parsed settings. */
export const SETTINGS = Symbol('SETTINGS');
