/** The model of the benchmark sees from the message which answer is wanted. */
export const TIMED_MESSAGE = 'Tell me about this lab.';
export const SHORT_MESSAGE = 'Are you there?';

/** The timed answer: about a sentence, a token every 5 ms. The short one is a single token without delay. */
export const TIMED_TOKENS = Array.from({ length: 20 }, (_, index) => ` token${index}`);
export const TOKEN_MS = 5;

export interface Chat {
  readonly sessionId: string;
  readonly message: string;
  /** The session has its title already, so the run makes no call for one. */
  readonly titled: boolean;
}

/** Of one chat, from its sending. */
export interface Timing {
  readonly firstTokenMs: number;
  readonly totalMs: number;
}

/** One way to have a chat answered. Rejects unless the run completes. */
export interface Contender {
  readonly name: string;
  chat(chat: Chat): Promise<Timing>;
  /** Processor time so far of everything that takes part in an answer, by part. */
  cpuMs(): Promise<CpuByPart>;
  /** Begins a processor profile, or ends it. */
  toggleProfile?(): void;
}

export type CpuByPart = Readonly<Record<string, number>>;
