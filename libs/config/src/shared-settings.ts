import { z } from 'zod';
import { parseRedisUrl, RedisUrlError } from './redis-url';

/** Settings that more than one process reads; each app's own schema is built from these. */

const wholeNumber = (what: string) => z.coerce.number({ error: `${what} must be a number` }).int();

export const commonSettings = {
  REDIS_URL: z
    .string({ error: 'must look like redis://host:6379' })
    .superRefine((url, context) => {
      try {
        parseRedisUrl(url);
      } catch (error) {
        if (!(error instanceof RedisUrlError)) throw error;
        context.addIssue({ code: 'custom', message: error.message });
      }
    })
    .describe(
      'Redis 7 or newer with maxmemory-policy noeviction. A cluster: several of its nodes, redis://a:6379,b:6379, or one with ?cluster=true',
    ),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must look like postgres://user:password@host:5432/database' })
    .describe('Postgres 14 or newer'),
  SECRET_KEY: z
    .string({ error: 'must be set, 16 characters or more' })
    .refine((value) => value.split(',').every((key) => key.trim().length >= 16), {
      error: 'every key must have 16 characters or more',
    })
    .describe('Encrypts stored API keys. Several, separated by commas: the first encrypts, all decrypt'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
    .default('info')
    .describe('Least level that is logged'),
  EVENT_TTL_SECONDS: wholeNumber('EVENT_TTL_SECONDS')
    .min(60)
    .default(86_400)
    .describe('How long the event log of an ended run can still be replayed'),
};

export const gns3Settings = {
  GNS3_URL: z
    .url({ protocol: /^https?$/, error: 'must look like http://host:3080' })
    .describe('The GNS3 server'),
  GNS3_USERNAME: z
    .string()
    .min(1)
    .default('admin')
    .describe('Service login, where the caller brings no token'),
  GNS3_PASSWORD: z.string().min(1).default('admin').describe('Password of the service login'),
};

export const modelHostSettings = {
  MODEL_ALLOWED_HOSTS: z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((host) => host.trim().toLowerCase())
        .filter((host) => host !== ''),
    )
    .describe('Hosts that a model base_url may name although they are loopback or private, by commas'),
};

export { wholeNumber };
