import { expect } from '@jest/globals';
import type { ChatMessage, ChatRequest, Script, Turn } from '../../fakes/scripted-model';
import { collect, ofType, textOf, type Frame } from './sse-client';
import type { Stack } from './stack';

export interface LimitedRun {
  readonly frames: readonly Frame[];
  readonly requests: readonly ChatRequest[];
  readonly text: string;
  readonly done: Frame['data'];
  /** The limits that were reported, as `limit action`. */
  readonly reached: readonly string[];
  readonly outputs: readonly string[];
  readonly executed: number;
  readonly runId: string;
}

let sessions = 0;

/**
 * Plays a run and holds it to what is true of every run, whatever its limits: each call that was shown has one
 * end, the counters are what the model and the viewers saw, and the session takes another message.
 */
export async function limitedRun(
  stack: Stack,
  script: Script | readonly Turn[],
  limits: Record<string, unknown>,
  onFrame: (frame: Frame) => Promise<void> = async () => undefined,
): Promise<LimitedRun> {
  sessions += 1;
  const session_id = `limited ${sessions}`;
  stack.model.play(script);
  const { frames: coming } = await stack.chat('Work on the lab.', { session_id, ...limits });
  const frames: Frame[] = [];
  for await (const frame of coming) {
    frames.push(frame);
    await onFrame(frame);
  }
  const requests = [...stack.model.requests];
  requests.forEach(expectStrict);
  const done = frames.at(-1)?.data ?? { type: 'nothing' };
  const executed = ofType(frames, 'tool_start').length;
  const ends = ofType(frames, 'tool_end');

  expect(done).toMatchObject({ type: 'done', usage: { llm_calls: requests.length } });
  expect(ofType(frames, 'limits').at(-1)).toMatchObject({ iterations: { used: requests.length } });
  expect(done).toMatchObject({ usage: { tool_calls: executed, refused_tool_calls: ends.length - executed } });
  expect(new Set(ends.map(({ tool_call_id }) => tool_call_id)).size).toBe(ends.length);
  await expectToGoOn(stack, session_id);

  return {
    frames,
    requests,
    done,
    executed,
    text: textOf(frames),
    reached: ofType(frames, 'limit_reached').map(({ limit, action }) => `${String(limit)} ${String(action)}`),
    outputs: ends.map(({ tool_output }) => String(tool_output)),
    runId: String(frames[0]?.data.run_id),
  };
}

/** The session takes another message. */
export async function expectToGoOn(stack: Stack, session_id: string): Promise<void> {
  stack.model.play([{ text: 'Here I am.' }]);
  const frames = await collect((await stack.chat('And now?', { session_id })).frames);
  expect(textOf(frames)).toBe('Here I am.');
  stack.model.requests.forEach(expectStrict);
}

/** What strict providers refuse: a call without its result right after it, and a message without anything. */
export function expectStrict({ messages }: ChatRequest): void {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      expect(open).toContain(message.tool_call_id);
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    expect(open).toEqual([]);
    expect(isEmpty(message)).toBe(false);
    open = (message.tool_calls ?? []).map(({ id }) => id);
  }
  expect(open).toEqual([]);
}

function isEmpty({ content, tool_calls }: ChatMessage): boolean {
  return (content === '' || content === null) && (tool_calls ?? []).length === 0;
}
