import type { ChatMessage, ChatRequest, ScriptedCall, Turn } from '../../fakes/scripted-model';
import { strict } from '../../fakes/strict-provider';
import { Seeded } from '../../support/seeded';
import { collect, type Frame } from './sse-client';
import type { Stack } from './stack';

const SHOW = 'execute_multiple_device_commands';
const CONFIG = 'execute_multiple_device_config_commands';

/** A run and its kill, all from one seed. */
export interface Plan {
  readonly seed: number;
  readonly session_id: string;
  readonly limits: {
    readonly max_iterations: number;
    readonly max_tool_calls: number;
    readonly max_device_config_calls: number;
    readonly tool_limits: Readonly<Record<string, number>>;
    readonly max_parallel_tools: number;
    readonly on_limit_reached: 'warn' | 'fail';
  };
  readonly kill: 'agent' | 'tool';
  /** The frame at which the worker is killed. */
  readonly killAt: number;
}

export interface RunResource {
  readonly status: string;
  readonly stop_reason: string;
  readonly usage: {
    readonly llm_calls: number;
    readonly tool_calls: number;
    readonly refused_tool_calls: number;
    readonly by_tool: Readonly<Record<string, number>>;
  };
  readonly tool_calls: readonly { readonly id: string; readonly name: string; readonly status: string }[];
}

export interface KilledRun {
  readonly plan: Plan;
  readonly frames: readonly Frame[];
  /** What the model's server was asked for this run, repeats included. */
  readonly requests: readonly ChatRequest[];
  readonly resource: RunResource;
  /** The conversation as the next message of the session shows it to the model. */
  readonly history: readonly ChatMessage[];
}

export function planOf(seed: number): Plan {
  const random = new Seeded(seed * 7_919);
  return {
    seed,
    session_id: `killed ${seed}`,
    limits: {
      max_iterations: random.between(2, 5),
      max_tool_calls: random.between(2, 8),
      max_device_config_calls: random.between(1, 4),
      tool_limits: { [SHOW]: random.between(1, 5) },
      max_parallel_tools: random.between(1, 3),
      on_limit_reached: random.below(4) === 0 ? 'fail' : 'warn',
    },
    kill: random.below(2) === 0 ? 'agent' : 'tool',
    killAt: random.between(2, 24),
  };
}

/** The one line of a changing call that no other call of the suite sends. */
export const markerOf = (callId: string) => `ip host ${callId} 192.0.2.1`;

/** The calls of an iteration, the same however often the model is asked for it. */
export function callsOf({ seed }: Plan, iteration: number): (ScriptedCall & { readonly id: string })[] {
  const random = new Seeded(seed * 104_729 + iteration);
  return Array.from({ length: random.between(1, 4) }, (_, index) => {
    const id = `s${seed}i${iteration}c${index}`;
    const device_name = `R${random.between(1, 2)}`;
    switch (random.below(4)) {
      case 0:
        return { id, name: SHOW, args: { device_configs: [{ device_name, commands: ['show clock'] }] } };
      case 1:
        return { id, name: SHOW, args: { device_configs: [{ device_name: id, commands: ['show clock'] }] } };
      case 2:
        return {
          id,
          name: CONFIG,
          args: { device_configs: [{ device_name, config_commands: [markerOf(id)] }] },
        };
      default:
        return { id, name: 'no_such_tool', args: { id } };
    }
  });
}

/** Asks for tools for as long as it may; its answers come slowly enough to be killed in. */
export function scriptFor(plans: readonly Plan[]) {
  return strict((request): Turn => {
    const plan = plans.find(({ seed }) => seedOf(request) === seed);
    if (!plan || isLastWord(request)) return { text: 'Here I am.' };
    if (request.tool_choice === 'none') return { text: ['I ', 'stop ', 'here.'], pieceDelayMs: 40 };
    return {
      text: ['Let ', 'me ', 'look. '],
      calls: callsOf(plan, iterationOf(request)),
      pieceDelayMs: 15,
    };
  });
}

const wordsOf = ({ messages }: ChatRequest) =>
  String(messages.findLast(({ role }) => role === 'user')?.content);
export const seedOf = (request: ChatRequest) => Number(/Work (\d+)/.exec(wordsOf(request))?.[1]);
const isLastWord = (request: ChatRequest) => wordsOf(request) === 'And now?';
export const iterationOf = ({ messages }: ChatRequest) =>
  messages.filter(({ role }) => role === 'assistant').length + 1;

/** Plays the run and kills a worker of the planned kind at the planned frame; a new one takes its place. */
export async function killedRun(stack: Stack, plan: Plan): Promise<KilledRun> {
  const { frames: coming } = await stack.chat(`Work ${plan.seed}`, {
    session_id: plan.session_id,
    ...plan.limits,
  });
  const frames: Frame[] = [];
  let killed: Promise<void> | undefined;
  for await (const frame of coming) {
    frames.push(frame);
    if (frames.length === plan.killAt) killed = killOne(stack, plan.kill);
  }
  await killed;
  const requests = stack.model.requests.filter((request) => seedOf(request) === plan.seed);
  const url = stack.chatUrl(`/runs/${String(frames[0]?.data.run_id)}`);
  const resource = (await (await fetch(url)).json()) as RunResource;
  return { plan, frames, requests, resource, history: await historyOf(stack, plan) };
}

async function killOne(stack: Stack, kind: Plan['kill']): Promise<void> {
  const children = kind === 'agent' ? stack.agents : stack.tools;
  const victim = children.shift();
  if (kind === 'agent') stack.startAgent();
  else stack.startTool();
  await victim?.stop('SIGKILL');
}

async function historyOf(stack: Stack, { session_id, seed }: Plan): Promise<readonly ChatMessage[]> {
  await collect((await stack.chat('And now?', { session_id })).frames);
  const asked = stack.model.requests.findLast(
    (request) =>
      isLastWord(request) && request.messages.some(({ content }) => String(content) === `Work ${seed}`),
  );
  return asked?.messages ?? [];
}
