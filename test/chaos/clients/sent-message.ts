import type { Frame } from '../../e2e/support/sse-client';
import type { ChatPlan } from '../plan/chat-plan';

/** What one viewer has been sent, over all its connections. */
export interface Viewing {
  readonly viewer: string;
  readonly runId: string;
  readonly frames: readonly SeenFrame[];
  readonly connections: number;
  /** It has seen `done`. */
  readonly finished: boolean;
}

/** `id` is the frame's own; undefined for one that no log has. */
export type SeenFrame = Frame;

/** The JSON of a client that waited for the whole answer. */
export interface WholeReply {
  readonly runId: string;
  readonly answer: string;
  readonly stopReason: string;
}

/** A message and what became of it, as its client knows it. */
export interface SentMessage {
  readonly plan: ChatPlan;
  readonly key: string;
  readonly session: string;
  /** By one clock of the runner's, in milliseconds. */
  readonly sentAt: number;
  readonly acceptedAt: number | undefined;
  /** Every run that an answer named; the same key may name one only. */
  readonly runIds: readonly string[];
  readonly requests: number;
  readonly whole: WholeReply | undefined;
  readonly cancelled: boolean;
  /** Answers that no page allows for. */
  readonly surprises: readonly string[];
}
