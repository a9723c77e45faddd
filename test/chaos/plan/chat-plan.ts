import { Seeded } from '../../support/seeded';
import { plannedIterations, type PlannedIteration } from './planned-iterations';

/** How a message is sent: over which route, and whether its answer is streamed. */
export type Entry = 'stream' | 'inject' | 'runs' | 'whole';

/** One stay of a viewer: it leaves after so many frames, and is away for a while. */
export interface Stay {
  readonly frames: number;
  readonly awayMs: number;
}

export interface ViewerPlan {
  readonly comesAfterMs: number;
  readonly stays: readonly Stay[];
}

/** A message and all that is done about its run, from the seed alone. */
export interface ChatPlan {
  readonly chat: number;
  readonly session: string;
  readonly atMs: number;
  readonly entry: Entry;
  /** Limits and approval policy of the request. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly cancelAfterMs: number | undefined;
  /** What a person says to calls that wait; `ignore` lets the time run out. */
  readonly decision: 'approve' | 'reject' | 'mixed' | 'ignore' | undefined;
  /** A message of its session cancels what is unfinished when it comes (docs/sessions.md). */
  readonly mayBeInterrupted: boolean;
  readonly viewers: readonly ViewerPlan[];
  readonly iterations: readonly PlannedIteration[];
}

export const messageOf = (chat: number) => `Chat ${chat}, please work.`;

/** The chats that a text asks for: a provider gets user messages that follow one another as one. */
export function chatsIn(text: string): number[] {
  return [...text.matchAll(/Chat (\d+), please work\./g)].map(([, chat]) => Number(chat));
}

interface Extent {
  readonly seed: number;
  readonly chats: number;
  readonly sendMs: number;
  readonly routers: number;
}

const CHATS_A_SESSION = 4;
/** Of the chats, that many begin a burst on one session. */
const BURST_ONE_IN = 12;
const BURST_SIZE = 3;

/** All messages in the order in which they are sent. */
export function chatPlans({ seed, chats, sendMs, routers }: Extent): ChatPlan[] {
  const random = new Seeded(seed * 7_919 + 1);
  const sessions = Math.max(1, Math.ceil(chats / CHATS_A_SESSION));
  const plans: Omit<ChatPlan, 'mayBeInterrupted'>[] = [];
  while (plans.length < chats) {
    const session = `chaos ${seed} ${random.below(sessions)}`;
    const atMs = random.below(sendMs);
    const size = random.below(BURST_ONE_IN) === 0 ? BURST_SIZE : 1;
    for (let n = 0; n < size && plans.length < chats; n += 1) {
      const chat = plans.length + 1;
      plans.push({ ...oneChat(new Seeded(seed * 104_729 + chat), chat, routers), session, atMs });
    }
  }
  const interrupting = new Set(
    plans.filter(({ body }) => body.multitask_strategy).map(({ session }) => session),
  );
  return plans
    .map((plan) => ({ ...plan, mayBeInterrupted: interrupting.has(plan.session) }))
    .toSorted((first, second) => first.atMs - second.atMs);
}

type OneChat = Omit<ChatPlan, 'session' | 'atMs' | 'mayBeInterrupted'>;

function oneChat(random: Seeded, chat: number, routers: number): OneChat {
  const entry = random.oneOf<Entry>(['stream', 'stream', 'stream', 'runs', 'runs', 'inject', 'whole']);
  // Whoever waits for the whole answer has no run id before, so can neither decide nor cancel.
  const decision =
    entry !== 'whole' && random.below(8) === 0
      ? random.oneOf(['approve', 'reject', 'mixed', 'ignore'] as const)
      : undefined;
  const cancelled = entry !== 'whole' && random.below(9) === 0;
  return {
    chat,
    entry,
    body: { ...approvalOf(decision, random), ...limitsOf(random), ...strategyOf(random) },
    decision,
    cancelAfterMs: cancelled ? random.below(6_000) : undefined,
    viewers: viewersOf(random, entry),
    iterations: plannedIterations(random, chat, routers),
  };
}

function approvalOf(decision: ChatPlan['decision'], random: Seeded): Record<string, unknown> {
  if (decision === undefined) return {};
  return {
    approval_policy: random.oneOf(['config_tools', 'all_changing_tools']),
    ...(decision === 'ignore' ? { approval_timeout_seconds: random.between(2, 5) } : {}),
  };
}

function limitsOf(random: Seeded): Record<string, unknown> {
  switch (random.below(10)) {
    case 0:
      return { max_tool_calls: random.between(1, 3), max_parallel_tools: random.between(1, 3) };
    case 1:
      return { max_iterations: random.between(1, 3) };
    case 2:
      return { max_device_config_calls: 1, on_limit_reached: random.oneOf(['warn', 'fail']) };
    case 3:
      return { max_execution_time_seconds: random.between(3, 10) };
    default:
      return { max_parallel_tools: random.between(1, 5) };
  }
}

function strategyOf(random: Seeded): Record<string, unknown> {
  return random.below(20) === 0 ? { multitask_strategy: 'interrupt' } : {};
}

function viewersOf(random: Seeded, entry: Entry): ViewerPlan[] {
  const stays = () =>
    Array.from({ length: random.below(4) }, () => ({
      frames: random.between(1, 12),
      awayMs: random.below(1_500),
    }));
  const one = (comesAfterMs: number) => ({ comesAfterMs, stays: stays() });
  const first = entry === 'whole' ? [] : [one(0)];
  return random.below(2) === 0 ? [...first, one(random.below(5_000))] : first;
}
