import { spawn, type ChildProcess } from 'node:child_process';
import { cpus } from 'node:os';
import { collect, ofType } from '../test/e2e/support/sse-client';
import type { RecoveryService } from './recovery-service';

/** What was taken for dead although nothing died. All but the first two are to be 0. */
export interface Stalls {
  readonly runs: number;
  readonly calls: number;
  readonly attemptEvents: number;
  readonly repeatedCalls: number;
  readonly stalledJobs: number;
  readonly lostRuns: number;
}

const CHATS_AT_ONCE = 4;
/** Well before an ended job would be cleared away: a queue keeps its last 1,000. */
const LOOK_MS = 20_000;

/** Plays chats for so many minutes while as many processes as there are cores do nothing but burn time. */
export async function spuriousStalls(
  service: RecoveryService,
  minutes: number,
  progress: (text: string) => void,
): Promise<Stalls> {
  await service.ready();
  const begunAt = new Date();
  const stalled = new StalledJobs(service);
  await stalled.look();
  const before = stalled.count;
  service.stack.model.play(({ messages }) =>
    messages.filter(({ role }) => role === 'tool').length >= 2
      ? { text: ['It ', 'is ', 'so.'], pieceDelayMs: 50 }
      : {
          text: ['Let ', 'me ', 'look. '],
          pieceDelayMs: 50,
          calls: [{ name: 'gns3_topology_reader', args: {} }, showClock(messages.length)],
        },
  );
  const burning = cpus().map(burn);
  let attemptEvents = 0;
  let runs = 0;
  const endAt = Date.now() + minutes * 60_000;
  let lookedAt = Date.now();
  const lane = async () => {
    while (Date.now() < endAt) {
      const frames = await collect((await service.stack.chat('How does it stand?')).frames);
      attemptEvents += ofType(frames, 'attempt').length;
      runs += 1;
      service.stack.model.requests.length = 0;
      if (Date.now() - lookedAt < LOOK_MS) continue;
      lookedAt = Date.now();
      await stalled.look();
      progress(`${runs} runs, ${attemptEvents} attempt events, ${stalled.count - before} stalled jobs`);
    }
  };
  try {
    await Promise.all(Array.from({ length: CHATS_AT_ONCE }, lane));
  } finally {
    for (const child of burning) child.kill('SIGKILL');
  }
  await stalled.look();
  return { runs, attemptEvents, ...(await rowsSince(service, begunAt)), stalledJobs: stalled.count - before };
}

const showClock = (seed: number) => ({
  name: 'execute_multiple_device_commands',
  args: { device_configs: [{ device_name: `R${(seed % 4) + 1}`, commands: ['show clock'] }] },
});

function burn(): ChildProcess {
  return spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
}

async function rowsSince({ database }: RecoveryService, begunAt: Date) {
  const count = async (query: string) =>
    Number((await database.pool.query<{ count: string }>(query, [begunAt])).rows[0]?.count);
  return {
    calls: await count('SELECT count(*) FROM tool_calls WHERE created_at > $1'),
    repeatedCalls: await count('SELECT count(*) FROM tool_calls WHERE created_at > $1 AND attempt > 1'),
    lostRuns: await count('SELECT count(*) FROM runs WHERE created_at > $1 AND redeliveries > 0'),
  };
}

/** BullMQ counts in a job how often it was found without a lock. */
class StalledJobs {
  private readonly keys = new Set<string>();

  constructor(private readonly service: RecoveryService) {}

  get count(): number {
    return this.keys.size;
  }

  async look(): Promise<void> {
    const { redis } = this.service.stack;
    // Jobs alone: their keys end with the id that begins with their run's.
    for (const key of await redis.keys('{copilot}:*:*-*-*-*-*')) {
      if ((await redis.type(key)) !== 'hash') continue;
      if (Number((await redis.hget(key, 'stc')) ?? 0) > 0) this.keys.add(key);
    }
  }
}
