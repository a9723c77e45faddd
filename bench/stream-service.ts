import { fileURLToPath } from 'node:url';
import { connect } from '@copilot/persistence';
import { Pool } from 'undici';
import { Child } from '../test/e2e/support/child';
import { Stack, type StackOptions } from '../test/e2e/support/stack';
import { parentOf, treeCpuMs } from './stream-cpu';
import type { Chat, Contender, CpuByPart, Timing } from './stream-workload';

/** More than the most chats at once, so that no chat waits for a connection. */
const CONNECTIONS = 128;
/** A run that takes longer has been lost, and a benchmark that waits for it would never end. */
const CHAT_LIMIT_MS = 60_000;

/** The service as it runs: gateway, queue, agent workers and log, each a process of its own. */
export class Service implements Contender {
  readonly name = 'service';
  private readonly http: Pool;
  private readonly path: string;

  private constructor(
    readonly stack: Stack,
    readonly model: Child,
    readonly modelUrl: string,
    private readonly stores: { readonly postgres: number; readonly redis: number },
    private readonly profiled: boolean,
  ) {
    const { origin, pathname } = new URL(stack.chatUrl('/stream'));
    this.path = pathname;
    this.http = new Pool(origin, { connections: CONNECTIONS });
  }

  static async start(options: StackOptions, profileFolder?: string): Promise<Service> {
    const model = new Child('model', 'bench/stream-model.ts', { NODE_OPTIONS: '--import tsx' });
    const ready = model.line('model ready');
    const stack = await Stack.start({
      ...options,
      withoutModelConfig: true,
      ...(profileFolder === undefined ? {} : { env: profiling(profileFolder) }),
    });
    const modelUrl = (await ready).split(' ').at(-1) ?? '';
    await stack.createModelConfig({ base_url: modelUrl, model: 'scripted' });
    const stores = { postgres: await postgresPid(stack.databaseUrl), redis: await redisPid(stack) };
    return new Service(stack, model, modelUrl, stores, profileFolder !== undefined);
  }

  async chat({ sessionId, message }: Chat): Promise<Timing> {
    const begun = performance.now();
    let firstTokenMs: number | undefined;
    let text = '';
    const { statusCode, body } = await this.http.request({
      method: 'POST',
      path: this.path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message, session_id: sessionId }),
      signal: AbortSignal.timeout(CHAT_LIMIT_MS),
    });
    body.setEncoding('utf8');
    for await (const piece of body) {
      text += String(piece);
      if (firstTokenMs === undefined && text.includes('"type":"content"')) {
        firstTokenMs = performance.now() - begun;
      }
    }
    if (firstTokenMs === undefined || !text.includes('"stop_reason":"completed"')) {
      throw new Error(`the run did not complete: ${statusCode} ${text}`);
    }
    return { firstTokenMs, totalMs: performance.now() - begun };
  }

  /** The model and the lab are left out: they are not the service's. */
  async cpuMs(): Promise<CpuByPart> {
    const total = async (pids: readonly number[]) =>
      (await Promise.all(pids.map(treeCpuMs))).reduce((sum, ms) => sum + ms, 0);
    const { gateways, agents, tools } = this.stack;
    return {
      gateway: await total(gateways.map(({ pid }) => pid)),
      agents: await total(agents.map(({ pid }) => pid)),
      tools: await total(tools.map(({ pid }) => pid)),
      postgres: await total([this.stores.postgres]),
      redis: await total([this.stores.redis]),
    };
  }

  toggleProfile(): void {
    if (!this.profiled) return;
    for (const child of [...this.stack.gateways, ...this.stack.agents]) child.signal('SIGWINCH');
  }

  async stop(): Promise<void> {
    await this.http.close();
    await this.stack.stop();
    await this.model.stop();
  }
}

function profiling(folder: string): Record<string, string> {
  const hook = fileURLToPath(new URL('stream-profile.mjs', import.meta.url));
  return { NODE_OPTIONS: `--import ${hook}`, COPILOT_PROFILE_FOLDER: folder };
}

async function postgresPid(url: string): Promise<number> {
  const { pool } = connect(url, () => undefined, 1);
  try {
    const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return await parentOf(rows[0]?.pid ?? 0);
  } finally {
    await pool.end();
  }
}

async function redisPid({ redis }: Stack): Promise<number> {
  return Number(/^process_id:(\d+)/m.exec(await redis.info('server'))?.[1] ?? 0);
}
