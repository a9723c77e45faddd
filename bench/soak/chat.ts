import { setTimeout as sleep } from 'node:timers/promises';
import { readStream, startRun, type StreamEnd } from './client';
import type { RawFrame } from './frames';
import { faultsOf, Seen, verdictOn } from './seen';
import { addFaults, addNoted, type Tally } from './tally';
import { messageOf, type SoakPlan, type Task, WORDS } from './workload';

/** Viewers come within this of a run's beginning. */
const JOIN_MS = 4_000;
/** How long a viewer stays, on average, before its connection breaks, and how long it is away at most. */
const MEAN_STAY_MS = 60_000;
const MOST_AWAY_MS = 3_000;
/** On top of the time that its words take; a run that is not over then is compared as far as it is. */
const PATIENCE_MS = 90_000;
const REPLAY_MS = 15_000;
/** All within the time that the log of an ended run is kept. */
const REPLAYS = 3;
const AFTER_A_REFUSAL_MS = 1_000;
/** One chat of so many has its runs look at the lab, which takes a tool call. */
const ONE_LOOKS_OF = 10;

/** One session in which a message follows the other, and the viewers of its runs. */
export class Chat {
  private runs = 0;

  constructor(
    private readonly nth: number,
    private readonly viewers: number,
    private readonly plan: SoakPlan,
    private readonly tally: Tally,
  ) {}

  /** Resolves when the run that is under way at `stop` has ended and was compared. */
  async talk(stop: AbortSignal): Promise<void> {
    await sleep(Math.random() * this.plan.rampMs, undefined, { signal: stop }).catch(() => undefined);
    while (!stop.aborted) {
      try {
        await this.run();
      } catch (error) {
        addNoted(this.tally, 'refusals', String(error));
        await sleep(AFTER_A_REFUSAL_MS);
      }
    }
  }

  private async run(): Promise<void> {
    const task = this.nextTask();
    const giveUpAt = Date.now() + task.words * this.plan.pieceMs + PATIENCE_MS;
    const runId = await startRun(this.anyUrl(), messageOf(task), `soak-${this.nth}`);
    const views = await Promise.all(Array.from({ length: this.viewers }, () => this.view(runId, giveUpAt)));
    const replay = await this.replay(runId);
    if (!replay) return addNoted(this.tally, 'failures', `run ${runId} cannot be replayed to an end`);
    const { seen: whole, frames } = replay;
    for (const [index, seen] of views.entries()) {
      addFaults(this.tally, faultsOf(seen, whole), `run ${runId}, viewer ${index}`);
    }
    const { repeatedCalls, fault } = verdictOn(frames, task);
    this.tally.repeatedCalls += repeatedCalls;
    if (fault !== undefined) addNoted(this.tally, 'failures', `run ${runId} ${fault}`);
    this.tally.runs += 1;
  }

  private nextTask(): Task {
    this.runs += 1;
    const least = this.runs === 1 ? 1 : WORDS.least;
    return {
      name: `c${this.nth}r${this.runs}`,
      words: least + Math.floor(Math.random() * (WORDS.most - least + 1)),
      looksFirst: this.nth % ONE_LOOKS_OF === 0,
    };
  }

  /** One viewer: follows the run to its end, with breaks, at one gateway or another. */
  private async view(runId: string, giveUpAt: number): Promise<Seen> {
    const seen = new Seen();
    const leftMs = () => Math.max(0, giveUpAt - Date.now());
    await sleep(Math.random() * JOIN_MS);
    while (!seen.ended && leftMs() > 0) {
      const stayMs = Math.min(leftMs(), -Math.log(1 - Math.random()) * MEAN_STAY_MS);
      const end = await this.connect(runId, seen, stayMs);
      if (seen.ended) break;
      if (end === 'left') this.tally.resumes += 1;
      else addNoted(this.tally, 'cuts', `run ${runId}: a stream ${end} before the run did`);
      await sleep(Math.random() * MOST_AWAY_MS);
    }
    return seen;
  }

  private async connect(runId: string, seen: Seen, stayMs: number): Promise<StreamEnd> {
    let isOpen = false;
    const onOpen = () => {
      isOpen = true;
      this.tally.open += 1;
    };
    const onFrame = (frame: RawFrame) => {
      seen.take(frame);
      this.tally.events += 1;
    };
    const options = { after: seen.ids.at(-1), stayMs, onOpen };
    const end = await readStream(this.eventsUrl(runId), options, onFrame);
    if (isOpen) this.tally.open -= 1;
    return end;
  }

  /** The whole run in one stream; a busy gateway may need to be asked again. */
  private async replay(runId: string): Promise<{ seen: Seen; frames: RawFrame[] } | undefined> {
    for (let attempt = 0; attempt < REPLAYS; attempt += 1) {
      const seen = new Seen();
      const frames: RawFrame[] = [];
      await readStream(this.eventsUrl(runId), { stayMs: REPLAY_MS }, (frame) => {
        seen.take(frame);
        frames.push(frame);
      });
      if (seen.ended) return { seen, frames };
      await sleep(AFTER_A_REFUSAL_MS);
    }
    return undefined;
  }

  private eventsUrl(runId: string): string {
    return `${this.anyUrl()}/runs/${runId}/events`;
  }

  private anyUrl(): string {
    const { chatUrls } = this.plan;
    return chatUrls[Math.floor(Math.random() * chatUrls.length)] ?? '';
  }
}
