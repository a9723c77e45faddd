import { readFileSync } from 'node:fs';

const ROOT = new URL('../../', import.meta.url);

/** A file of the checkout, by its path from the root. */
export function readText(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

export function readJson(path: string): unknown {
  return JSON.parse(readText(path));
}

/** Names and values of an env file; a line that is neither one nor a comment is an error. */
export function readEnvFile(path: string): Record<string, string> {
  const lines = readText(path)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([A-Z0-9_]+)=(.*)$/.exec(line) ?? [];
      if (name === undefined || value === undefined) throw new Error(`${path}: not a setting: ${line}`);
      return [name, value];
    }),
  );
}
