/** Prints docs/settings.md from the schemas of the apps; with --check tells whether the file is current. */
import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { settingsSchema as agentWorker } from '../apps/agent-worker/src/settings';
import { settingsSchema as gateway } from '../apps/gateway/src/settings';
import { settingsSchema as toolWorker } from '../apps/tool-worker/src/settings';
import { table } from './markdown-table';

const APPS: Readonly<Record<string, z.ZodObject>> = {
  gateway,
  'agent-worker': agentWorker,
  'tool-worker': toolWorker,
};

const FILE = new URL('../docs/settings.md', import.meta.url);

interface Setting {
  readonly name: string;
  readonly values: string;
  readonly fallback: string;
  readonly description: string;
}

/** What a setting's JSON schema can tell; the rest of its rules is in its description. */
const inputSchema = z.looseObject({
  description: z.string(),
  default: z.union([z.string(), z.number()]).optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

/** The page: settings without a default first, since nothing starts without them. */
export function settingsPage(): string {
  const usedBy = new Map<string, { setting: Setting; apps: string[] }>();
  for (const [app, schema] of Object.entries(APPS)) {
    for (const setting of settingsOf(schema)) {
      // A setting may mean another thing to another app; each meaning has its line.
      const meaning = JSON.stringify(setting);
      const known = usedBy.get(meaning);
      if (known) known.apps.push(app);
      else usedBy.set(meaning, { setting, apps: [app] });
    }
  }
  const lines = [...usedBy.values()];
  const required = lines.filter(({ setting }) => setting.fallback === REQUIRED);
  const rest = lines.filter(({ setting }) => setting.fallback !== REQUIRED);
  return page(
    [...required, ...rest].map(({ setting: { name, values, fallback, description }, apps }) => [
      `\`${name}\``,
      apps.length === Object.keys(APPS).length ? 'all' : apps.join(', '),
      fallback,
      values,
      // A bar would begin another column.
      description.replaceAll('|', '\\|'),
    ]),
  );
}

const REQUIRED = '**required**';

function settingsOf(schema: z.ZodObject): Setting[] {
  const { properties, required } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties ?? {}).map(([name, property]) => {
    const input = inputSchema.parse(property);
    return {
      name,
      values: valuesOf(input),
      fallback: fallbackOf(input, required?.includes(name) === true),
      description: input.description,
    };
  });
}

function fallbackOf(input: z.output<typeof inputSchema>, isRequired: boolean): string {
  if (isRequired) return REQUIRED;
  if (input.default === undefined) return 'not set';
  return input.default === '' ? 'empty' : `\`${input.default}\``;
}

function valuesOf({ enum: names, minimum, maximum }: z.output<typeof inputSchema>): string {
  if (names) return names.map((name) => `\`${name}\``).join(' ');
  if (minimum === undefined) return '';
  return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
    ? `from ${minimum}`
    : `${minimum} to ${maximum}`;
}

function page(rows: readonly (readonly string[])[]): string {
  return `# Settings

Environment variables of the processes, read once at start. This page is printed from their schemas by \`npx tsx scripts/settings-doc.ts\`. An empty variable counts as not set. A process that cannot use its settings ends at once with a line for each bad one; values that may hold a secret are not repeated there.

${table([['setting', 'used by', 'default', 'values', 'meaning'], ...rows])}

\`migrate\` reads \`DATABASE_URL\` alone. The demo's settings are in [its README](../apps/demo/README.md). How the settings are used together: [operating](operating.md).
`;
}

async function main(args: readonly string[]): Promise<void> {
  if (!args.includes('--check')) {
    process.stdout.write(settingsPage());
    return;
  }
  if ((await readFile(FILE, 'utf8')) === settingsPage()) return;
  process.stderr.write(
    'docs/settings.md is not current: npx tsx scripts/settings-doc.ts > docs/settings.md\n',
  );
  process.exitCode = 1;
}

const [, started] = process.argv;
if (started !== undefined && realpathSync(started) === import.meta.filename)
  await main(process.argv.slice(2));
