import { openStream, type OpenStream } from '../../e2e/support/sse-client';
import { post } from '../../e2e/support/stack';
import { messageOf, type ChatPlan } from '../plan/chat-plan';
import type { World } from '../world/world';
import { Decider } from './decider';
import { pauseBetween, persistently, type Patience } from './patience';
import type { SeenFrame, SentMessage, Viewing, WholeReply } from './sent-message';
import { Viewer } from './viewer';

const AGAIN_MS = 300;
/** A client that waits for a whole answer gives up its connection after this, and asks again with its key. */
const WHOLE_MS = 90_000;

interface Accepted {
  readonly runId: string;
  readonly first?: { readonly stream: OpenStream; readonly begun: SeenFrame };
}

/** One message: sent until it is accepted, cancelled or decided of where the plan says so, and followed to its end. */
export class ChatClient {
  private readonly runIds = new Set<string>();
  private readonly surprises: string[] = [];
  private readonly viewers: Viewer[] = [];
  private sentAt = 0;
  private acceptedAt: number | undefined;
  private requests = 0;
  private whole: WholeReply | undefined;
  private cancelled = false;

  constructor(
    private readonly plan: ChatPlan,
    private readonly seed: number,
    private readonly world: World,
    private readonly patience: Patience,
  ) {}

  /** Resolves when all that belongs to the message has ended, or nobody waits any longer. */
  async play(): Promise<void> {
    this.sentAt = performance.now();
    const accepted = await this.send();
    if (!accepted) return;
    const decider = new Decider(this.plan, this.world, this.patience);
    await Promise.all([
      this.cancelInTime(accepted.runId),
      ...this.plan.viewers.map((_, index) => this.view(accepted, index, decider)),
    ]);
    await decider.finished();
    this.surprises.push(...decider.surprises, ...this.viewers.flatMap(({ surprises }) => surprises));
  }

  get wasAccepted(): boolean {
    return this.acceptedAt !== undefined;
  }

  get sent(): SentMessage {
    const { plan, key, sentAt, acceptedAt, requests, whole, cancelled, surprises } = this;
    const runIds = [...this.runIds];
    return {
      ...{
        plan,
        key,
        session: plan.session,
        sentAt,
        acceptedAt,
        runIds,
        requests,
        whole,
        cancelled,
        surprises,
      },
    };
  }

  get viewings(): Viewing[] {
    return this.viewers.map(({ viewing }) => viewing);
  }

  private get key(): string {
    return `chaos-${this.seed}-${this.plan.chat}`;
  }

  private async send(): Promise<Accepted | undefined> {
    while (!this.patience.over.aborted) {
      this.requests += 1;
      try {
        const accepted = await this.sendOnce();
        if (accepted) {
          this.runIds.add(accepted.runId);
          this.acceptedAt = performance.now();
          return accepted;
        }
      } catch {
        // No answer, or half of one: whether it was accepted is asked by sending it again.
      }
      await pauseBetween(this.patience, AGAIN_MS);
    }
    return undefined;
  }

  /** Nothing where the message has to be sent again. Rejects when the connection is lost. */
  private async sendOnce(): Promise<Accepted | undefined> {
    const { entry, session, body, chat } = this.plan;
    const path = entry === 'runs' ? '/runs' : entry === 'inject' ? '/inject' : '/stream';
    const request = { message: messageOf(chat), session_id: session, ...body };
    const isWhole = entry === 'whole';
    const init = post(isWhole ? { ...request, stream: false } : request, { 'idempotency-key': this.key });
    const url = this.world.chatUrl(this.patience.gateway(), path);
    if (entry === 'stream' || entry === 'inject') return await this.stream(url, init);

    const signal = AbortSignal.any([this.patience.over, AbortSignal.timeout(isWhole ? WHOLE_MS : 20_000)]);
    const response = await fetch(url, { ...init, signal });
    const answer = (await response.json()) as Record<string, unknown>;
    if (!this.isExpected(response.status, isWhole ? 200 : 202, answer)) return undefined;
    const runId = String(answer.run_id);
    if (isWhole)
      this.whole = { runId, answer: String(answer.answer), stopReason: String(answer.stop_reason) };
    return { runId };
  }

  private async stream(url: string, init: RequestInit): Promise<Accepted | undefined> {
    const stream = await openStream(url, init);
    if (stream.response.status !== 200) {
      const answer = (await stream.response.json()) as Record<string, unknown>;
      this.isExpected(stream.response.status, 200, answer);
      return undefined;
    }
    const { value: begun } = await stream.frames.next();
    // Ended before its first event: whether the message was accepted, the next request with its key tells.
    return begun ? { runId: String(begun.data.run_id), first: { stream, begun } } : undefined;
  }

  private isExpected(status: number, wanted: number, answer: Record<string, unknown>): boolean {
    if (status !== wanted && status !== 503)
      this.surprises.push(`message: ${status} ${String(answer.message)}`);
    return status === wanted;
  }

  private async view(accepted: Accepted, index: number, decider: Decider): Promise<void> {
    const plan = this.plan.viewers[index];
    if (!plan) return;
    const name = `chat ${this.plan.chat} viewer ${index + 1}`;
    const viewer = new Viewer(name, accepted.runId, plan, this.world, this.patience, (frame) =>
      decider.look(frame),
    );
    this.viewers.push(viewer);
    if (index === 0 && accepted.first) return await viewer.follow(accepted.first);
    await pauseBetween(this.patience, plan.comesAfterMs);
    await viewer.follow();
  }

  private async cancelInTime(runId: string): Promise<void> {
    if (this.plan.cancelAfterMs === undefined) return;
    await pauseBetween(this.patience, this.plan.cancelAfterMs);
    this.cancelled = true;
    const answer = await persistently(
      this.patience,
      (gateway) => this.world.chatUrl(gateway, `/runs/${runId}/cancel`),
      { method: 'POST' },
    );
    if (answer && answer.status !== 200)
      this.surprises.push(`cancel: ${answer.status} ${String(answer.body.message)}`);
  }
}
