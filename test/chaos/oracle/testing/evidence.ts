import type { SeenFrame, SentMessage } from '../../clients/sent-message';
import { messageOf, type ChatPlan } from '../../plan/chat-plan';
import { piecesOf } from '../../plan/planned-iterations';
import type { CallFact, Evidence, Leftovers, Replay, RunFact } from '../evidence';

export const LINE = 'ip host c1i1n0d0 192.0.2.1';

/** One changing call on R1, then an answer. */
export function planOf(chat: number, more: Partial<ChatPlan> = {}): ChatPlan {
  return {
    chat,
    session: 's',
    atMs: 0,
    entry: 'stream',
    body: {},
    cancelAfterMs: undefined,
    decision: undefined,
    mayBeInterrupted: false,
    viewers: [],
    iterations: [
      {
        pieces: piecesOf(chat, 1, 1),
        pieceDelayMs: 0,
        calls: [
          { id: `c${chat}i1n0`, name: 'config', args: {}, markers: [{ device: 'R1', line: lineOf(chat) }] },
        ],
      },
      { pieces: piecesOf(chat, 2, 1), pieceDelayMs: 0, calls: [] },
    ],
    ...more,
  };
}

const lineOf = (chat: number) => `ip host c${chat}i1n0d0 192.0.2.1`;

export function sent(chat: number, more: Partial<SentMessage> = {}): SentMessage {
  return {
    plan: planOf(chat),
    key: `key-${chat}`,
    session: 's',
    sentAt: chat * 100,
    acceptedAt: chat * 100 + 50,
    runIds: [`run-${chat}`],
    requests: 1,
    whole: undefined,
    cancelled: false,
    surprises: [],
    ...more,
  };
}

export function run(chat: number, more: Partial<RunFact> = {}): RunFact {
  return {
    runId: `run-${chat}`,
    key: `key-${chat}`,
    message: messageOf(chat),
    session: 's',
    sequence: chat,
    status: 'completed',
    stopReason: 'completed',
    errorCode: null,
    startedAt: chat * 1_000,
    endedAt: chat * 1_000 + 900,
    ...more,
  };
}

export function call(chat: number, more: Partial<CallFact> = {}): CallFact {
  return {
    runId: `run-${chat}`,
    callId: `c${chat}i1n0`,
    status: 'succeeded',
    output: JSON.stringify([{ device_name: 'R1', status: 'success', config_commands: [lineOf(chat)] }]),
    ...more,
  };
}

/** The frames of a chat that went its way, with an id each. */
export function framesOf(chat: number): SeenFrame[] {
  const text = (iteration: number) =>
    piecesOf(chat, iteration, 1).map((content) => ({ type: 'content', content }));
  return [
    { type: 'run', queue_position: 0 },
    ...text(1),
    { type: 'tool_start', tool_call_id: `c${chat}i1n0` },
    { type: 'tool_end', tool_call_id: `c${chat}i1n0` },
    { type: 'limits' },
    ...text(2),
    { type: 'limits' },
    { type: 'done', stop_reason: 'completed' },
  ].map((data, index) => ({ id: `run-${chat}/${index}`, data }));
}

export function replay(chat: number, frames: readonly SeenFrame[] = framesOf(chat)): Replay {
  return { runId: `run-${chat}`, frames, logEntries: frames.length };
}

export const NOTHING_LEFT: Leftovers = {
  unfinishedRuns: [],
  claimedRuns: [],
  openCalls: [],
  callerTokens: 0,
  sessionsWithOldCheckpoints: 0,
  openTransactions: 0,
  jobs: [],
  keysWithoutExpiry: [],
  subscriptions: [],
  extraConnections: 0,
};

/** Of one chat, or of two on one session, that broke no rule; a test changes what it is about. */
export function evidence(more: Partial<Evidence> = {}, chats: readonly number[] = [1]): Evidence {
  return {
    messages: chats.map((chat) => sent(chat)),
    runs: chats.map((chat) => run(chat)),
    calls: chats.map((chat) => call(chat)),
    commands: chats.map((chat) => ({ node: 'R1', line: lineOf(chat) })),
    viewings: chats.map((chat) => ({
      viewer: `viewer ${chat}`,
      runId: `run-${chat}`,
      frames: framesOf(chat),
      connections: 1,
      finished: true,
    })),
    replays: chats.map((chat) => replay(chat)),
    model: {
      faults: [],
      asked: chats.map((chat) => ({ chat, conversation: chats.filter((other) => other <= chat) })),
      lastWords: new Map([['s', chats]]),
    },
    left: NOTHING_LEFT,
    ...more,
  };
}
