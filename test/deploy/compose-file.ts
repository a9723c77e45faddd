import { parse } from 'yaml';
import { z } from 'zod';
import { readText } from './checkout';

/** What the tests look at; everything else of a service is passed through. */
const serviceSchema = z.looseObject({
  image: z.string(),
  build: z.object({ context: z.string(), args: z.object({ APP: z.string() }) }).optional(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.coerce.string()).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  restart: z.string(),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  stop_grace_period: z.string().optional(),
  network_mode: z.string().optional(),
});
export type Service = z.output<typeof serviceSchema>;

const composeSchema = z.object({ services: z.record(z.string(), serviceSchema) });

/** Values for what an operator must give; each secret can be recognised where it turns up. */
export const REQUIRED = {
  SECRET_KEY: 'marker-of-SECRET_KEY',
  REDIS_PASSWORD: 'marker-of-REDIS_PASSWORD',
  POSTGRES_PASSWORD: 'marker-of-POSTGRES_PASSWORD',
  GNS3_URL: 'http://gns3.example:3080',
};

const VARIABLE = /\$\{([A-Z0-9_]+)(?::([-?])([^}]*))?\}/g;

/** The services with their variables put in, as `docker compose` does it; a missing required one is an error. */
export function composeServices(env: Readonly<Record<string, string>>): Record<string, Service> {
  const document: unknown = parse(readText('docker-compose.yml'), { merge: true });
  return composeSchema.parse(interpolated(document, env)).services;
}

/** Names of all variables that the file takes, and of those without which it refuses to start. */
export function composeVariables(): { all: Set<string>; required: Set<string> } {
  const found = [...readText('docker-compose.yml').matchAll(VARIABLE)];
  const names = (matches: RegExpExecArray[]) => new Set(matches.map(([, name = '']) => name));
  return { all: names(found), required: names(found.filter(([, , operator]) => operator === '?')) };
}

function interpolated(value: unknown, env: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return interpolatedText(value, env);
  if (Array.isArray(value)) return value.map((item) => interpolated(item, env));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, interpolated(item, env)]));
}

function interpolatedText(text: string, env: Readonly<Record<string, string>>): string {
  const result = text.replace(VARIABLE, (_, name: string, operator?: string, operand?: string) => {
    const given = env[name] ?? '';
    if (given !== '') return given;
    if (operator === '-') return operand ?? '';
    throw new Error(`required variable ${name} is missing a value: ${operand ?? ''}`);
  });
  if (/\$(?!\$)/.test(result)) throw new Error(`a variable in a form that is not known here: ${text}`);
  return result;
}
