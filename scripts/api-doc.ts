/** Prints docs/api.md: what holds for every route, and a table of all of them from docs/openapi.json. */
import { readFileSync, realpathSync } from 'node:fs';
import { z } from 'zod';
import { table } from './markdown-table';

const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        summary: z.string(),
        tags: z.array(z.string()).min(1),
        responses: z.record(z.string(), z.unknown()),
      }),
    ),
  ),
});

interface Route {
  readonly tag: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly statuses: readonly string[];
}

/** The other spelling of a path, which is the same route: it is told of once, above the table. */
const OTHER_SPELLING = /^\/v3\/(copilot\/projects|access\/(users|groups))\//;

/** Any authenticated route may give these; they are explained once. */
const EVERYWHERE = new Set(['401', '422', '429', '500', '503']);

function routes(): Route[] {
  const file = new URL('../docs/openapi.json', import.meta.url);
  const { paths } = documentSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return Object.entries(paths)
    .filter(([path]) => !OTHER_SPELLING.test(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { summary, tags, responses }]) => ({
        tag: tags[0] ?? '',
        method: method.toUpperCase(),
        path,
        summary,
        statuses: Object.keys(responses).filter((status) => !EVERYWHERE.has(status)),
      })),
    );
}

function section(tag: string, found: readonly Route[]): string {
  const rows = found.map(({ method, path, summary, statuses }) => [
    `\`${method} ${path}\``,
    summary,
    statuses.join(' '),
  ]);
  return `## ${tag}\n\n${table([['route', 'what it does', 'statuses'], ...rows])}\n`;
}

/** The page, as prettier would write it. */
export function apiPage(): string {
  const all = routes();
  const tags = [...new Set(all.map(({ tag }) => tag))];
  const sections = tags.map((name) =>
    section(
      name,
      all.filter(({ tag }) => tag === name),
    ),
  );
  return `${INTRODUCTION}\n${sections.join('\n')}`;
}

const INTRODUCTION = `# The API

The tables are printed from [openapi.json](openapi.json), which is printed from the code; \`/docs\` of a running gateway shows the same with every field. \`npx tsx scripts/api-doc.ts > docs/api.md\` writes this page.

- **Two spellings.** \`/v3/projects/{project_id}/chat/...\` is also \`/v3/copilot/projects/{project_id}/chat/...\`; \`/v3/users/...\` and \`/v3/groups/...\` are also \`/v3/access/users/...\` and \`/v3/access/groups/...\`.
- **Callers.** \`Authorization: Bearer ...\` or \`?token=...\`, unless \`AUTH_MODE=none\`: [auth](auth.md). Another user's sessions and runs are answered as if they did not exist; another user's model configs are a 403, unless the caller has the privilege that the answer names.
- **Errors** are JSON with a \`message\` for people; a field that is not valid is named with its range and the value that was sent. Wherever a caller is needed: 401 without a valid token, 422 for a body or an id that is not valid, 429 for too many requests (with \`Retry-After\`) or a spent session budget, 503 with \`Retry-After\` when Redis, Postgres or the GNS3 server is away, 500 with a header \`X-Error-Id\` that the gateway's log has too.
- **Streams** are server-sent events: one JSON a \`data:\` line, its cursor as \`id:\`, comments as heartbeats. Whoever lost the connection asks for the run's events with \`Last-Event-ID\`. Ignore types of events that you do not know.
- **Sending again.** \`Idempotency-Key: <any name of yours>\` on a message (stream, inject, runs) makes it safe to send again after a lost connection: the same body gets the same run, another body 409.
- **One at a time.** The runs of a session are worked off in order; \`multitask_strategy\` and \`on_disconnect\` on a message say what becomes of it while the session is busy, and of its run when the client leaves: [sessions](sessions.md).
- **Not waiting.** \`POST .../chat/runs\` answers 202 with the run's id; \`GET .../runs/{run_id}?wait=30\` answers when the run has ended, at the latest after 30 s (50 at most); its events can be followed at any time.
- **Sizes.** A body has at most 1 MB, a message 200,000 characters, a session id 300.
- **Times** are UTC without a zone, as the GNS3 server writes them; \`at\` in \`limit_changes\` has its \`Z\`.

What the limits on a chat request mean: [limits](limits.md). Tool calls that wait for a person: [approvals](approvals.md). Fields of a model config that concern the window: [context window](context-window.md).
`;

const [, started] = process.argv;
if (started !== undefined && realpathSync(started) === import.meta.filename) process.stdout.write(apiPage());
