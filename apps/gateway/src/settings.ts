import { commonSettings, gns3Settings, modelHostSettings, wholeNumber } from '@copilot/config';
import { MAX_RUN_SECONDS } from '@copilot/contracts';
import { z } from 'zod';
import { isLoopbackName } from './http/loopback-host';

/** As many bytes as the hash has, which RFC 7518 asks for. */
export const MIN_JWT_SECRET_CHARS = 32;

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
    CORS_ORIGINS: z
      .string()
      .default('')
      .transform((value) => value.split(',').flatMap((origin) => origin.trim() || []))
      .refine((origins) => origins.every((origin) => isOrigin(origin)), {
        error: 'must be origins such as https://lab.example.com, by commas, without a path',
      })
      .describe('Origins of web pages that may call beside those of this machine, by commas'),
    RATE_LIMIT_PER_MINUTE: wholeNumber('RATE_LIMIT_PER_MINUTE')
      .min(0)
      .default(600)
      .describe('Requests of one user in a minute; 0 = no limit. Not with AUTH_MODE=none'),
    CHAT_RATE_LIMIT_PER_MINUTE: wholeNumber('CHAT_RATE_LIMIT_PER_MINUTE')
      .min(0)
      .default(60)
      .describe('Messages of one user in a minute; 0 = no limit. Not with AUTH_MODE=none'),
    SKILLS_DIR: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Folder with prompts/*.md and config/forbidden_commands.txt, in the place of the built-in ones; read at the start and by POST /v3/copilot/reload/skills',
      ),
    RUN_MAX_SECONDS: wholeNumber('RUN_MAX_SECONDS')
      .min(1)
      .max(MAX_RUN_SECONDS)
      .default(900)
      .describe('Time limit of a run whose request gives no max_execution_time_seconds'),
    AUTH_MODE: z
      .enum(['none', 'jwt', 'gns3'])
      .default('none')
      .describe(
        'Who may call. none: everybody who reaches the port is the one local user. jwt: tokens signed with JWT_SECRET. gns3: users of the GNS3 server, with its tokens',
      ),
    JWT_SECRET: z
      .string()
      .default('')
      .describe('Signs the tokens of AUTH_MODE=jwt (HS256), 32 characters or more'),
  })
  .refine(({ AUTH_MODE, HOST }) => AUTH_MODE !== 'none' || isLoopbackName(HOST), {
    path: ['HOST'],
    error: 'with AUTH_MODE=none only a loopback address is served: 127.0.0.1, ::1 or localhost',
  })
  .refine(({ AUTH_MODE, JWT_SECRET }) => AUTH_MODE !== 'jwt' || JWT_SECRET.length >= MIN_JWT_SECRET_CHARS, {
    path: ['JWT_SECRET'],
    error: `AUTH_MODE=jwt needs a secret of ${MIN_JWT_SECRET_CHARS} characters or more, e.g. from: openssl rand -hex 32`,
  });
export type Settings = z.output<typeof settingsSchema>;

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
