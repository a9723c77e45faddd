import { NO_USAGE, type RunEvent } from '@copilot/contracts';
import { describe, expect, it } from '@jest/globals';
import { FrameSequence, sseEvent } from './frames';

const IDS = { session_id: 's', run_id: 'r' };

const part = (id: string, delta: string, more: { name?: string; complete?: boolean } = {}): RunEvent => ({
  type: 'tool_call',
  tool_call_id: id,
  name: 'ping',
  arguments_delta: delta,
  complete: false,
  ...more,
});

function framesOf(...events: RunEvent[]) {
  const frames = new FrameSequence(IDS);
  return events.map((event) => frames.next(event));
}

const functionsOf = (...events: RunEvent[]) =>
  framesOf(...events).flatMap((frame) => (frame.type === 'tool_call' ? [frame.tool_call.function] : []));

describe('FrameSequence', () => {
  it.each<[RunEvent, object]>([
    [
      { type: 'run', queue_position: 2 },
      { type: 'run', queue_position: 2 },
    ],
    [
      { type: 'attempt', attempt: 2 },
      { type: 'attempt', attempt: 2 },
    ],
    [
      { type: 'content', content: 'x' },
      { type: 'content', content: 'x' },
    ],
    [
      part('c', ''),
      {
        type: 'tool_call',
        tool_call: { id: 'c', type: 'function', function: { name: 'ping', arguments: '' } },
      },
    ],
    [
      { type: 'tool_start', tool_call_id: 'c', tool_name: 'ping' },
      { type: 'tool_start', tool_call_id: 'c', tool_name: 'ping' },
    ],
    [
      { type: 'tool_waiting', tool_call_id: 'c', tool_name: 'ping', device_name: 'R1', ahead: 1 },
      { type: 'tool_waiting', tool_call_id: 'c', tool_name: 'ping', device_name: 'R1', ahead: 1 },
    ],
    [
      { type: 'tool_end', tool_call_id: 'c', tool_name: 'ping', tool_output: 'ok' },
      { type: 'tool_end', tool_call_id: 'c', tool_name: 'ping', tool_output: 'ok' },
    ],
    [
      { type: 'error', error: 'e', code: 'internal_error' },
      { type: 'error', error: 'e', code: 'internal_error' },
    ],
    [
      { type: 'done', stop_reason: 'completed', usage: NO_USAGE },
      { type: 'done', stop_reason: 'completed', usage: NO_USAGE },
    ],
  ])('makes of %j the frame of the contract, with both ids', (event, frame) => {
    expect(framesOf(event)).toEqual([{ ...frame, ...IDS }]);
  });

  it('repeats the arguments so far in every frame of a call, one frame for each entry', () => {
    expect(
      functionsOf(part('c', ''), part('c', '{"a'), part('c', '":1}'), part('c', '', { complete: true })),
    ).toEqual([
      { name: 'ping', arguments: '' },
      { name: 'ping', arguments: '{"a' },
      { name: 'ping', arguments: '{"a":1}' },
      { name: 'ping', arguments: '{"a":1}', complete: true },
    ]);
  });

  it('keeps parallel calls apart and completes each', () => {
    const shown = functionsOf(
      part('a', '1'),
      part('b', '2'),
      part('a', '3', { complete: true }),
      part('b', '4', { complete: true }),
    );
    expect(shown.map((call) => call.arguments)).toEqual(['1', '2', '13', '24']);
    expect(shown.map((call) => call.complete)).toEqual([undefined, undefined, true, true]);
  });

  it('keeps the name of the first piece', () => {
    expect(functionsOf(part('c', '1'), part('c', '2', { name: '' }))[1]).toEqual({
      name: 'ping',
      arguments: '12',
    });
  });

  it('begins anew for an id that is used again after its call was complete', () => {
    expect(functionsOf(part('c', '1', { complete: true }), part('c', '2'))[1]?.arguments).toBe('2');
  });

  it('drops unfinished calls when a new attempt begins', () => {
    expect(functionsOf(part('c', '1'), { type: 'attempt', attempt: 2 }, part('c', '2'))[1]?.arguments).toBe(
      '2',
    );
  });
});

describe('sseEvent', () => {
  const eventOf = (content: string, cursor?: string) =>
    sseEvent({ type: 'content', content, ...IDS }, cursor);

  it('is an id line, one data line and an empty line', () => {
    expect(eventOf('x', '1-0')).toBe(
      'id: 1-0\ndata: {"type":"content","content":"x","session_id":"s","run_id":"r"}\n\n',
    );
  });

  it('has no id line for a frame that is in no log', () => {
    expect(eventOf('x')).toMatch(/^data: .*\n\n$/);
  });

  it.each(['\n', '\r', '\r\n', '\u0085', '\u2028', '\u2029', '\v\f', '\0', '\ud800'])(
    'E8: stays on one line whatever it says, and says it exactly: %j',
    (content) => {
      const lines = eventOf(content).split(/[\n\r\v\f\x1c-\x1e\u0085\u2028\u2029]/);
      expect(lines).toHaveLength(3);
      expect(JSON.parse(lines[0]?.slice('data: '.length) ?? '')).toMatchObject({ content });
    },
  );

  it('leaves other text as it is', () => {
    expect(eventOf('Zürich 路由器 😀')).toContain('"content":"Zürich 路由器 😀"');
  });
});
