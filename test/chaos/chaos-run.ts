import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Seeded } from '../support/seeded';
import { ChatClient } from './clients/chat-client';
import { lastWords } from './clients/last-words';
import type { Patience } from './clients/patience';
import type { Evidence } from './oracle/evidence';
import { Gathering } from './oracle/gather';
import { chatPlans, type ChatPlan } from './plan/chat-plan';
import { disturbancePlan } from './plan/disturbance-plan';
import type { ChaosOptions } from './plan/options';
import { ChaosModel } from './world/chaos-model';
import { Disturber, type DisturbanceCounts } from './world/disturber';
import { ROUTERS } from './world/surroundings';
import { PROCESSES, type World } from './world/world';

/** Part of the time in which messages are sent; in the rest of it the last ones are worked on, under fire too. */
const SENDING = 0.85;
/** All that is unfinished when the fire is over has to end within this. */
const TAIL_MS = 120_000;
/** More than this at once only wait for each other on a small machine. */
const MOST_AT_ONCE = 24;
const PROGRESS_MS = 10_000;

export interface ChaosOutcome {
  readonly evidence: Evidence;
  readonly counts: DisturbanceCounts;
  readonly restarts: number;
  /** Of the runner itself; then the evidence says nothing. */
  readonly failures: readonly string[];
}

/** One run on a world that is ready: chats and disturbances side by side, then quiet, then the evidence. */
export class ChaosRun {
  private readonly plans: readonly ChatPlan[];
  private readonly clients: ChatClient[] = [];
  private readonly model: ChaosModel;
  private readonly disturber: Disturber;
  private readonly over = new AbortController();
  private readonly patience: Patience;
  private ended = 0;
  private quiet = false;
  private readonly begunAt = performance.now();

  constructor(
    private readonly options: ChaosOptions,
    private readonly world: World,
    private readonly say: (text: string) => void,
  ) {
    const { seed, chats, minutes } = options;
    const sendMs = Math.floor(minutes * 60_000 * SENDING);
    this.plans = chatPlans({ seed, chats, sendMs, routers: ROUTERS });
    this.model = new ChaosModel(world.model, this.plans);
    this.disturber = new Disturber(world, (text) => this.tell(text));
    const random = new Seeded(seed * 31 + 3);
    // Every client and viewer under way listens for the end.
    setMaxListeners(0, this.over.signal);
    this.patience = { over: this.over.signal, gateway: () => random.below(1_000) };
  }

  async play(): Promise<ChaosOutcome> {
    const gathering = await Gathering.begin(this.world);
    const progress = setInterval(() => this.tell(this.progress()), PROGRESS_MS);
    try {
      await this.fireAndTail();
      return await this.outcome(gathering);
    } finally {
      clearInterval(progress);
      await gathering.end();
    }
  }

  private async fireAndTail(): Promise<void> {
    const { seed, minutes, parts } = this.options;
    const durationMs = minutes * 60_000;
    const plan = disturbancePlan({ seed, durationMs, processes: PROCESSES, parts });
    const chats = this.chats();
    const nothingToDisturb = new AbortController();
    const stop = () => nothingToDisturb.abort();
    void chats.then(stop, stop);
    await this.disturber.carryOut(plan, this.begunAt, nothingToDisturb.signal);
    await this.disturber.putRight();
    this.quiet = true;
    this.tell('quiet: everything is left alone, and has to end');
    const timer = new AbortController();
    await Promise.race([chats, sleep(TAIL_MS, undefined, { signal: timer.signal }).catch(() => undefined)]);
    timer.abort();
  }

  /** What a slow machine has not come to send when the fire is over is not sent any more: nothing would disturb it. */
  private async chats(): Promise<void> {
    const playing = new Set<Promise<void>>();
    for (const plan of this.plans) {
      await sleep(Math.max(0, this.begunAt + plan.atMs - performance.now()));
      while (playing.size >= MOST_AT_ONCE) await Promise.race(playing);
      if (this.quiet) break;
      const client = new ChatClient(plan, this.options.seed, this.world, this.patience);
      this.clients.push(client);
      const played = client.play().finally(() => {
        this.ended += 1;
        playing.delete(played);
      });
      playing.add(played);
    }
    await Promise.all(playing);
  }

  private async outcome(gathering: Gathering): Promise<ChaosOutcome> {
    // What is still open now is not waited for any longer, and shows in the evidence.
    this.over.abort();
    const sessions = [...new Set(this.clients.map(({ sent }) => sent.session))];
    await lastWords(this.world, sessions, { ...this.patience, over: AbortSignal.timeout(TAIL_MS) });
    const messages = this.clients.map(({ sent }) => sent);
    const { runs, calls, commands } = await gathering.rows();
    const replays = await gathering.replays(messages.flatMap(({ runIds }) => runIds.slice(0, 1)));
    const viewings = this.clients.flatMap((client) => client.viewings);
    const evidence = { messages, runs, calls, commands, viewings, replays, model: this.model.record };
    return {
      evidence: { ...evidence, left: await gathering.left() },
      counts: this.disturber.counts,
      restarts: this.world.parts.reduce((sum, { process }) => sum + process.restarts, 0),
      failures: this.disturber.failures,
    };
  }

  private progress(): string {
    const { length: sent } = this.clients;
    const accepted = this.clients.filter(({ wasAccepted }) => wasAccepted).length;
    const { kills, stops, links, redis, postgres } = this.disturber.counts;
    const faults = this.model.record.faults.length;
    return `sent ${sent} of ${this.plans.length}, accepted ${accepted}, ended ${this.ended}; kills ${kills}, stops ${stops}, cuts ${links}, redis ${redis}, postgres ${postgres}; refused histories ${faults}`;
  }

  private tell(text: string): void {
    this.say(`${((performance.now() - this.begunAt) / 1_000).toFixed(1).padStart(6)} s  ${text}`);
  }
}
