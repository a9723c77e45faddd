import { setTimeout as sleep } from 'node:timers/promises';
import { Seeded } from '../test/support/seeded';
import type { Frame } from '../test/e2e/support/sse-client';
import type { RecoveryService } from './recovery-service';

/** Which worker is killed, and in what. `mixed` is one of the other two, at any moment of it. */
export const SCENARIOS = [
  'agent worker in a model call',
  'tool worker in a read-only call',
  'mixed',
] as const;
export type Scenario = (typeof SCENARIOS)[number];

const PIECE_MS = 100;
/** Longer than any recovery: what is measured is never the end of what was begun before the kill. */
const PIECES = Array.from({ length: 200 }, (_, n) => `${n} `);
const SLOW_LAB_MS = 20_000;

/** Milliseconds from the kill to the next event of the run, as its viewer gets it. */
export async function timeToNextEvent(
  service: RecoveryService,
  scenario: Scenario,
  n: number,
): Promise<number> {
  const random = new Seeded(n * 7_919);
  await service.ready();
  const waitMs = scenario === 'mixed' ? random.below(1_500) : 200;
  const inTool =
    scenario === 'mixed' ? random.below(2) === 0 : scenario === 'tool worker in a read-only call';
  return inTool ? await inReadOnlyCall(service, waitMs) : await inModelCall(service, waitMs);
}

async function inModelCall(service: RecoveryService, waitMs: number): Promise<number> {
  service.stack.model.play((_request, call) =>
    call === 1 ? { text: PIECES, pieceDelayMs: PIECE_MS } : { text: 'Again.' },
  );
  const viewer = await Viewer.of(service, 'count');
  await viewer.first('content');
  await sleep(waitMs);
  const holder = await service.holderOf(viewer.runId);
  const killedAt = service.killAgent(holder);
  return await viewer.nextAfter(killedAt);
}

async function inReadOnlyCall(service: RecoveryService, waitMs: number): Promise<number> {
  const { stack } = service;
  stack.model.play(({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? { text: 'Read.' }
      : {
          text: ['Let ', 'me ', 'look. '],
          pieceDelayMs: 200,
          calls: [{ name: 'gns3_topology_reader', args: {} }],
        },
  );
  const viewer = await Viewer.of(service, 'look');
  // The agent has read the topology by now: what is slow from here on is the call.
  await viewer.first('content');
  await stack.failLab(`gns3-slow=${SLOW_LAB_MS}`);
  await viewer.first('tool_start');
  const standby = stack.startTool();
  await sleep(waitMs);
  const killedAt = await service.killTool(standby);
  await stack.failLab();
  return await viewer.nextAfter(killedAt);
}

/** Reads a run's stream and notes when its frames come. */
class Viewer {
  private readonly seen: { readonly frame: Frame; readonly at: number }[] = [];
  private readonly waiters = new Set<() => void>();
  private over = false;

  private constructor(frames: AsyncIterable<Frame>) {
    void this.read(frames);
  }

  static async of({ stack }: RecoveryService, message: string): Promise<Viewer> {
    return new Viewer((await stack.chat(message)).frames);
  }

  get runId(): string {
    return String(this.seen[0]?.frame.data.run_id);
  }

  async first(type: string): Promise<void> {
    await this.until(() => this.seen.some(({ frame }) => frame.data.type === type), type);
  }

  /** Also reads the run to its end, so that the next one finds all workers free. */
  async nextAfter(killedAt: number): Promise<number> {
    // What was on its way from the killed worker comes within moments, and is not the next worker's.
    const isNext = ({ at, frame }: { readonly at: number; readonly frame: Frame }) =>
      at > killedAt && ['attempt', 'tool_end', 'tool_waiting', 'error', 'done'].includes(frame.data.type);
    await this.until(() => this.seen.some(isNext), 'an event after the kill');
    const next = this.seen.find(isNext);
    await this.first('done');
    return (next?.at ?? Number.NaN) - killedAt;
  }

  private async until(isTime: () => boolean, what: string): Promise<void> {
    while (!isTime()) {
      if (this.over) throw new Error(`the stream ended without ${what}`);
      await new Promise<void>((resolve) => this.waiters.add(resolve));
    }
  }

  private async read(frames: AsyncIterable<Frame>): Promise<void> {
    try {
      for await (const frame of frames) {
        this.seen.push({ frame, at: performance.now() });
        this.wake();
      }
    } finally {
      this.over = true;
      this.wake();
    }
  }

  private wake(): void {
    for (const wake of this.waiters) wake();
    this.waiters.clear();
  }
}
