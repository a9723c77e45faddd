import { z } from 'zod';

/** Settings that do not parse; the message has one line for each bad variable. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const SECRET_NAME = /KEY|SECRET|PASSWORD|TOKEN|URL/;

/**
 * Parses a process's environment before anything starts. An empty variable counts as absent, as in
 * compose files. Values of variables that may hold a secret are not repeated in the error.
 */
export function parseEnv<Schema extends z.ZodObject>(
  schema: Schema,
  env: Record<string, string | undefined>,
): z.output<Schema> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => {
    const name = issue.path.map(String).join('.') || 'environment';
    const value = given[name];
    const shown = value === undefined ? 'not set' : SECRET_NAME.test(name) ? 'set' : JSON.stringify(value);
    return `  ${name} (${shown}): ${issue.message}`;
  });
  throw new SettingsError(`The settings are not usable:\n${lines.join('\n')}`);
}
