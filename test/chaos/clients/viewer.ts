import { openStream, type OpenStream } from '../../e2e/support/sse-client';
import type { Stay, ViewerPlan } from '../plan/chat-plan';
import type { World } from '../world/world';
import { pauseBetween, type Patience } from './patience';
import type { SeenFrame, Viewing } from './sent-message';

type OnFrame = (frame: SeenFrame) => void;

/** A person's page: it follows a run, loses its connection and comes back with its last event's id. */
export class Viewer {
  private readonly frames: SeenFrame[] = [];
  private readonly stays: Stay[];
  private connections = 0;
  readonly surprises: string[] = [];

  constructor(
    private readonly name: string,
    private readonly runId: string,
    plan: ViewerPlan,
    private readonly world: World,
    private readonly patience: Patience,
    private readonly onFrame: OnFrame = () => undefined,
  ) {
    this.stays = [...plan.stays];
  }

  /** Follows to `done`; `first` is the stream of the request that began the run, with what was read of it. */
  async follow(first?: { readonly stream: OpenStream; readonly begun: SeenFrame }): Promise<void> {
    if (first) {
      this.connections += 1;
      this.take(first.begun);
      if (!this.finished) await this.read(first.stream);
    }
    while (!this.finished && !this.patience.over.aborted) {
      await this.connect();
      if (!this.finished) await pauseBetween(this.patience, 100);
    }
  }

  get viewing(): Viewing {
    const { name: viewer, runId, frames, connections, finished } = this;
    return { viewer, runId, frames, connections, finished };
  }

  private get finished(): boolean {
    return this.frames.at(-1)?.data.type === 'done';
  }

  private async connect(): Promise<void> {
    const lastId = this.frames.findLast(({ id }) => id !== undefined)?.id;
    const url = this.world.chatUrl(this.patience.gateway(), `/runs/${this.runId}/events`);
    try {
      const stream = await openStream(
        url,
        lastId === undefined ? {} : { headers: { 'last-event-id': lastId } },
      );
      this.connections += 1;
      if (stream.response.status === 200) return await this.read(stream);
      if (stream.response.status !== 503) this.surprises.push(`events: ${stream.response.status}`);
      stream.close();
    } catch {
      // The gateway is away, or went away.
    }
  }

  private async read({ frames, close }: OpenStream): Promise<void> {
    const onOver = () => close();
    this.patience.over.addEventListener('abort', onOver);
    let left = this.stays[0]?.frames ?? Infinity;
    let before = this.frames.at(-1)?.id;
    try {
      for await (const { id, data } of frames) {
        // The reader of the protocol remembers an id; a frame without one of its own is one that no log has.
        this.take({ id: id === before ? undefined : id, data });
        before = id;
        left -= 1;
        if (this.finished) return;
        if (left <= 0) {
          close();
          await pauseBetween(this.patience, this.stays.shift()?.awayMs ?? 0);
          return;
        }
      }
    } catch {
      // The connection went with its gateway: what was read counts, the rest comes with the next one.
    } finally {
      close();
      this.patience.over.removeEventListener('abort', onOver);
    }
  }

  private take(frame: SeenFrame): void {
    this.frames.push(frame);
    this.onFrame(frame);
  }
}
