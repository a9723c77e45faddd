import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { connect, type Connection } from '@copilot/persistence';
import { Child } from '../../test/e2e/support/child';
import { Stack } from '../../test/e2e/support/stack';
import { type Sample, takeSample } from './samples';
import { LOG_TTL_SECONDS, type SoakPlan } from './workload';

const GATEWAYS = 2;
const AGENTS = 2;
/** Beside its viewers: connections to the stores, files, and the pipes of its children. */
const OTHER_DESCRIPTORS = 500;

/** The service under soak, its model, and the process of its viewers. */
export class SoakedService {
  private asked = 0;
  private readonly database: Connection;

  private constructor(
    readonly stack: Stack,
    private readonly model: Child,
  ) {
    // A connection that breaks shows as a sample that fails.
    this.database = connect(stack.databaseUrl, () => undefined, 1);
  }

  static async start({ chats, pieceMs }: Pick<SoakPlan, 'chats' | 'pieceMs'>): Promise<SoakedService> {
    const model = new Child('model', 'bench/soak/model.ts', {
      NODE_OPTIONS: '--import tsx',
      SOAK_PIECE_MS: String(pieceMs),
    });
    const ready = model.line('model ready');
    const stack = await Stack.start({
      gateways: GATEWAYS,
      agents: AGENTS,
      withoutModelConfig: true,
      env: {
        NODE_OPTIONS: `--import ${fileURLToPath(new URL('live-heap.mjs', import.meta.url))}`,
        // Every chat has a place, also when one worker takes more than its half.
        AGENT_CONCURRENCY: String(Math.ceil((chats / AGENTS) * 1.25)),
        EVENT_TTL_SECONDS: String(LOG_TTL_SECONDS),
      },
    });
    const base_url = (await ready).split(' ').at(-1);
    await stack.createModelConfig({ base_url, model: 'scripted' });
    return new SoakedService(stack, model);
  }

  get chatUrls(): string[] {
    return Array.from({ length: GATEWAYS }, (_, gateway) => this.stack.chatUrl('', { gateway }));
  }

  /** The service's own processes; model, lab and viewers are left out. */
  private get processes(): { name: string; pid: number; child: Child }[] {
    const { gateways, agents, tools } = this.stack;
    const named = (kind: string, children: readonly Child[]) =>
      children.map((child, index) => ({ name: `${kind} ${index + 1}`, pid: child.pid, child }));
    return [...named('gateway', gateways), ...named('agent', agents), ...named('tool', tools)];
  }

  sample(): Promise<Sample> {
    return takeSample({ processes: this.processes, redis: this.stack.redis, pool: this.database.pool });
  }

  /** What a full collection leaves of each process's heap, in MB. Each halts for some tens of milliseconds. */
  async liveHeaps(): Promise<Record<string, number>> {
    this.asked += 1;
    const mark = `live heap ${this.asked}: `;
    const heaps = await Promise.all(
      this.processes.map(async ({ name, child }) => {
        child.signal('SIGWINCH');
        const line = await child.line(mark);
        return [`${name}: live heap MB`, Number(line.slice(mark.length)) / 1_048_576] as const;
      }),
    );
    return Object.fromEntries(heaps);
  }

  async stop(): Promise<void> {
    await this.database.pool.end();
    await this.stack.stop();
    await this.model.stop();
  }
}

/** Rejects when a process may not open a socket for each viewer; Node raises the soft limit to the hard one. */
export async function checkDescriptors(viewers: number): Promise<void> {
  const limits = await readFile('/proc/self/limits', 'utf8');
  const allowed = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
  const needed = viewers + OTHER_DESCRIPTORS;
  if (allowed < needed) {
    throw new Error(
      `a process may open ${allowed} files, and ${viewers} viewers need ${needed}: ulimit -n ${needed}, or fewer viewers`,
    );
  }
}
