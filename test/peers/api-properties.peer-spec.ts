import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { findSchemathesis } from '../../scripts/lib/peers.mjs';
import { post, Stack } from '../e2e/support/stack';
import { PeerProcess } from './support/peer-process';

const JWT_SECRET = 'a secret of more than thirty-two characters';
const SEED = 20_260_101;
/** Generated requests of each kind an operation, and the time after which no further ones are generated. */
const MAX_EXAMPLES = 12;
const MAX_SECONDS = 60;
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

const userId = randomUUID();
const groupId = randomUUID();

let stack: Stack;
let folder: string;
let token: string;

beforeAll(async () => {
  stack = await Stack.start({
    withoutModelConfig: true,
    env: { AUTH_MODE: 'jwt', JWT_SECRET, RATE_LIMIT_PER_MINUTE: '0', CHAT_RATE_LIMIT_PER_MINUTE: '0' },
  });
  folder = await mkdtemp(join(tmpdir(), 'copilot-schemathesis-'));
  const args = ['dist/token.js', '--user', userId, '--project', 'all', '--superadmin'];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, JWT_SECRET },
  });
  token = stdout.trim();
});

afterAll(async () => {
  await stack?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const authorized = () => ({ authorization: `Bearer ${token}` });

async function createConfig(): Promise<string> {
  const config = {
    name: 'scripted',
    model_type: 'text',
    is_default: true,
    provider: 'openai',
    base_url: stack.model.baseUrl,
    model: 'scripted',
    api_key: stack.apiKey,
    context_limit: 128,
  };
  const response = await fetch(
    stack.url(`/v3/users/${userId}/llm-model-configs`),
    post(config, authorized()),
  );
  return z.object({ config_id: z.string() }).parse(await response.json()).config_id;
}

async function createRun(): Promise<string> {
  const body = { message: 'hello', session_id: 'first' };
  const response = await fetch(stack.chatUrl('/runs'), post(body, authorized()));
  return z.object({ run_id: z.string() }).parse(await response.json()).run_id;
}

/**
 * Ids that exist, for the requests that are meant to be good: a random one would be a 404 on every route. What
 * is meant to be bad is made up all the same.
 */
async function configuration(): Promise<string> {
  const parameters = {
    'path.project_id': stack.lab.projectId,
    'path.user_id': userId,
    'path.group_id': groupId,
    'path.session_id': 'first',
    'path.config_id': await createConfig(),
    'path.run_id': await createRun(),
  };
  const lines = Object.entries(parameters).map(([name, id]) => `"${name}" = "${id}"`);
  return ['[parameters]', ...lines, ''].join('\n');
}

describe('the API against its own description', () => {
  it('gives no unforeseen error, no undocumented status and no body of another shape, whatever is sent', async () => {
    const { command, env } = await findSchemathesis();
    await writeFile(join(folder, 'schemathesis.toml'), await configuration());
    const args = ['--config-file', join(folder, 'schemathesis.toml'), 'run', resolve('docs/openapi.json')];
    args.push('--url', stack.url(''), '--header', `Authorization: Bearer ${token}`);
    args.push('--checks', CHECKS.join(','), '--phases', 'examples,coverage,fuzzing');
    // The other spelling of a path has the same handler; the time is better spent on going deeper.
    args.push('--exclude-path-regex', '^/v3/(copilot|access)/');
    args.push('--seed', String(SEED), '--max-examples', String(MAX_EXAMPLES));
    args.push('--max-time', String(MAX_SECONDS), '--request-timeout', '20', '--no-color');
    args.push('--generation-database', 'none', '--continue-on-failure', '--suppress-health-check', 'all');
    const schemathesis = new PeerProcess('schemathesis', command, args, { env, cwd: folder });
    const code = await schemathesis.exitCode();
    process.stderr.write(schemathesis.output.split('\n').slice(-25).join('\n'));
    expect([code, code === 0 ? '' : schemathesis.output]).toEqual([0, '']);
  }, 240_000);
});
