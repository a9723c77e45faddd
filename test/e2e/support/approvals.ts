import { expect } from '@jest/globals';
import type { ChatMessage, ChatRequest, ScriptedCall, Turn } from '../../fakes/scripted-model';
import { strict } from '../../fakes/strict-provider';
import { ofType, type Frame, type OpenStream } from './sse-client';
import { post, type Stack } from './stack';

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown> & { readonly message?: string };
}

/** A run that waits for a person, and what has been seen of it. */
export interface WaitingRun {
  readonly runId: string;
  readonly frames: Frame[];
  readonly required: Frame['data'];
  readonly rest: OpenStream['frames'];
}

let sessions = 0;
export const newSession = () => `approvals ${(sessions += 1)}`;

/** The model asks for these calls once, and then ends. Its provider refuses what a strict one would. */
export function playCalls(stack: Stack, calls: readonly ScriptedCall[]): void {
  const hasAnswered = ({ messages }: ChatRequest) => messages.some(({ role }) => role === 'assistant');
  // Not by the number of the request: one whose worker lost its lock is made again.
  stack.model.play(
    strict((request): Turn => (hasAnswered(request) ? { text: 'Done.' } : { text: 'So: ', calls })),
  );
}

/** Sends a message, and reads its stream until the run waits. */
export async function untilWaiting(
  stack: Stack,
  calls: readonly ScriptedCall[],
  body: Record<string, unknown> = {},
): Promise<WaitingRun> {
  playCalls(stack, calls);
  const { frames: rest } = await stack.chat('Work.', {
    session_id: newSession(),
    approval_policy: 'config_tools',
    ...body,
  });
  const frames: Frame[] = [];
  for (;;) {
    const { value } = await rest.next();
    if (!value) throw new Error(`the run never waited: ${JSON.stringify(frames.at(-1)?.data)}`);
    frames.push(value);
    if (value.data.type !== 'approval_required') continue;
    return { runId: String(value.data.run_id), frames, required: value.data, rest };
  }
}

export async function decide(
  stack: Stack,
  runId: string,
  calls: readonly Record<string, unknown>[],
  base = stack.chatUrl(),
): Promise<Answer> {
  const response = await fetch(`${base}/runs/${runId}/approvals`, post({ calls }));
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

export const approve = (tool_call_id: string) => ({ tool_call_id, decision: 'approve' });
export const reject = (tool_call_id: string, reason?: string) => ({
  tool_call_id,
  decision: 'reject',
  ...(reason === undefined ? {} : { reason }),
});
export const edit = (tool_call_id: string, args: unknown) => ({
  tool_call_id,
  decision: 'edit',
  arguments: args,
});

export async function runOf(stack: Stack, runId: string): Promise<Answer['body']> {
  return (await (await fetch(stack.chatUrl(`/runs/${runId}`))).json()) as Answer['body'];
}

/** The rest of the stream; the run has come to its ordinary end, and all that was asked was valid. */
export async function untilDone({ frames, rest }: WaitingRun): Promise<Frame[]> {
  for await (const frame of rest) frames.push(frame);
  expect(ofType(frames, 'error')).toEqual([]);
  expect(frames.at(-1)?.data).toMatchObject({ type: 'done', stop_reason: 'completed' });
  return frames;
}

/** The results of the tools as the model last got them. */
export function resultsFor(stack: Stack): string[] {
  const messages: readonly ChatMessage[] = stack.model.requests.at(-1)?.messages ?? [];
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
}
