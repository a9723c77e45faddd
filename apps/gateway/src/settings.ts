import { commonSettings, gns3Settings, modelHostSettings, wholeNumber } from '@copilot/config';
import { MAX_RUN_SECONDS } from '@copilot/contracts';
import { z } from 'zod';
import { isLoopbackName } from './http/loopback-host';

export const settingsSchema = z
  .object({
    ...commonSettings,
    ...gns3Settings,
    ...modelHostSettings,
    PORT: wholeNumber('PORT')
      .min(0)
      .max(65_535)
      .default(3090)
      .describe('Port to listen on; 0 takes a free one'),
    HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
    RUN_MAX_SECONDS: wholeNumber('RUN_MAX_SECONDS')
      .min(1)
      .max(MAX_RUN_SECONDS)
      .default(900)
      .describe('Time limit of a run whose request gives no max_execution_time_seconds'),
    AUTH_MODE: z
      .enum(['none'])
      .default('none')
      .describe('Who may call. none: everybody who reaches the port is the one local user'),
  })
  .refine(({ AUTH_MODE, HOST }) => AUTH_MODE !== 'none' || isLoopbackName(HOST), {
    path: ['HOST'],
    error: 'with AUTH_MODE=none only a loopback address is served: 127.0.0.1, ::1 or localhost',
  });
export type Settings = z.output<typeof settingsSchema>;
