import { MAX_EVENT_OUTPUT_CHARS, NO_USAGE } from '@copilot/contracts';
import type { ConversationMessage } from '@copilot/persistence';
import { describe, expect, it } from '@jest/globals';
import { retoldEvents } from './retold-run';

const run = { stopReason: 'completed', errorCode: null, errorMessage: null, usage: NO_USAGE } as const;
const message = (fields: Partial<ConversationMessage>): ConversationMessage => ({
  ...{ id: 'm', role: 'assistant', text: '', name: null, toolCallId: null, toolCalls: [], createdAt: null },
  ...fields,
});
const asked = (id: string) => ({ id, name: 'tool', args: { n: 1 } });
const row = (callId: string, fields: { startedAt?: Date; output?: string | null } = {}) => ({
  ...{ callId, name: 'tool', arguments: '{"n": 1}', startedAt: null, output: null },
  ...fields,
});
const types = (known: Parameters<typeof retoldEvents>[0]) => retoldEvents(known).map(({ type }) => type);

describe('the events of an ended run, told again', () => {
  it('have the raw arguments and the outputs of the rows, and a start for calls that were begun', () => {
    const messages = [message({ toolCalls: [asked('a'), asked('b')] }), message({ text: 'Done.' })];
    const calls = [row('a', { startedAt: new Date(), output: 'one' }), row('b', { output: 'refused' })];
    expect(retoldEvents({ run, messages, calls })).toEqual([
      { type: 'run', queue_position: 0 },
      { type: 'tool_call', tool_call_id: 'a', name: 'tool', arguments_delta: '{"n": 1}', complete: true },
      { type: 'tool_call', tool_call_id: 'b', name: 'tool', arguments_delta: '{"n": 1}', complete: true },
      { type: 'tool_start', tool_call_id: 'a', tool_name: 'tool' },
      { type: 'tool_end', tool_call_id: 'a', tool_name: 'tool', tool_output: 'one' },
      { type: 'tool_end', tool_call_id: 'b', tool_name: 'tool', tool_output: 'refused' },
      { type: 'content', content: 'Done.' },
      { type: 'done', stop_reason: 'completed', usage: NO_USAGE },
    ]);
  });

  it('have no end for a call without a result', () => {
    const messages = [message({ toolCalls: [asked('a')] })];
    expect(types({ run, messages, calls: [row('a')] })).toEqual(['run', 'tool_call', 'done']);
  });

  it('take the answer to a call without a row from the conversation', () => {
    const messages = [
      message({ toolCalls: [asked('a')] }),
      message({ role: 'tool', toolCallId: 'a', text: 'No result.' }),
    ];
    expect(retoldEvents({ run, messages, calls: [] })).toContainEqual(
      expect.objectContaining({ type: 'tool_end', tool_output: 'No result.' }),
    );
  });

  it('have the calls of the rows also when the conversation has nothing of the run', () => {
    const calls = [row('a', { startedAt: new Date(), output: 'one' })];
    expect(types({ run, messages: [], calls })).toEqual([
      'run',
      'tool_call',
      'tool_start',
      'tool_end',
      'done',
    ]);
  });

  it('shorten a large output as the log does', () => {
    const calls = [row('a', { output: 'x'.repeat(MAX_EVENT_OUTPUT_CHARS + 1) })];
    const end = retoldEvents({ run, messages: [], calls }).find(({ type }) => type === 'tool_end');
    expect(end).toMatchObject({ full_length: MAX_EVENT_OUTPUT_CHARS + 1 });
  });

  it('end as the row says', () => {
    const aborted = { ...run, stopReason: 'aborted' } as const;
    expect(types({ run: aborted, messages: [], calls: [] })).toEqual(['run', 'abort', 'done']);
    const failed = { ...run, stopReason: 'error', errorCode: 'internal_error', errorMessage: 'Oh.' } as const;
    expect(types({ run: failed, messages: [], calls: [] })).toEqual(['run', 'error', 'done']);
  });
});
