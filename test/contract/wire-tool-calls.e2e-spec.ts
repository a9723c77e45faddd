import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { show } from '../e2e/support/limit-scripts';
import { Stack } from '../e2e/support/stack';
import { contractFrames, ofType, readAsWebUi, toolCalls, type WireFrame } from './support/web-ui-reader';
import { CHAT_SPELLINGS, WireChat } from './support/wire';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});

afterAll(() => stack.stop());

const first = show('R1');
const second = show('R2');
const SCRIPT = [
  {
    text: 'Let me look. ',
    calls: [
      { ...first, id: 'call_a' },
      { ...second, id: 'call_b' },
    ],
  },
  { text: 'It is noon.' },
];

/** One letter a frame, for the order to be read off. */
const LETTERS: Record<string, string> = {
  content: 'c',
  tool_call: 't',
  tool_start: 's',
  tool_end: 'e',
  error: 'x',
  done: 'd',
};
const orderOf = (frames: readonly WireFrame[]) =>
  contractFrames(frames)
    .map(({ type }) => LETTERS[type])
    .join('');

describe.each(CHAT_SPELLINGS)('tool calls in a stream under the path %s', (_of, prefix) => {
  const chat = () => new WireChat(stack, prefix);

  async function frames(more: Record<string, unknown> = {}, session_id: string = randomUUID()) {
    stack.model.play(SCRIPT);
    return readAsWebUi(await chat().open('what time is it?', session_id, more));
  }

  it('come after the text, then the tools run, then the next text comes, then `done`', async () => {
    expect(orderOf(await frames())).toMatch(/^c+t+[se]+c+d$/);
  });

  it('are worked off one after another in call order where the run has no others beside them', async () => {
    const all = await frames({ max_parallel_tools: 1 });
    expect(orderOf(all)).toMatch(/^c+t+(se){2}c+d$/);
    const idsOf = (type: string) => ofType(all, type).map(({ tool_call_id }) => tool_call_id);
    const called = [...new Set(toolCalls(all).map(({ id }) => id))];
    expect(idsOf('tool_start')).toEqual(called);
    expect(idsOf('tool_end')).toEqual(called);
  });

  it('carry the arguments as a text that grows: empty at first, the whole at last', async () => {
    const all = await frames();
    const ids = [...new Set(toolCalls(all).map(({ id }) => id))];
    expect(ids).toHaveLength(2);
    for (const [index, id] of ids.entries()) {
      const parts = toolCalls(all, id);
      const texts = parts.map((part) => part.function.arguments);
      expect(texts[0]).toBe('');
      let before = '';
      for (const text of texts) {
        expect(text).toEqual(expect.any(String));
        expect(String(text).startsWith(before)).toBe(true);
        before = String(text);
      }
      expect(new Set(texts).size).toBeGreaterThan(2);
      expect(JSON.parse(String(texts.at(-1)))).toEqual((index === 0 ? first : second).args);
    }
  });

  it('are each `complete` in their last frame and in no other', async () => {
    const all = await frames();
    for (const id of new Set(toolCalls(all).map((part) => part.id))) {
      const marks = toolCalls(all, id).map((part) => part.function.complete);
      expect(marks).toEqual([...marks.slice(1).map(() => undefined), true]);
    }
  });

  it('have exactly the fields of the contract, the ids of session and run beside them, and no null', async () => {
    const session_id = randomUUID();
    const all = contractFrames(await frames({}, session_id));
    const fields: Record<string, string[]> = {
      content: ['content'],
      tool_call: ['tool_call'],
      tool_start: ['tool_call_id', 'tool_name'],
      tool_end: ['tool_call_id', 'tool_name', 'tool_output'],
      done: ['stop_reason', 'usage'],
    };
    for (const frame of all) {
      expect(Object.keys(frame).sort()).toEqual(
        ['run_id', 'session_id', 'type', ...(fields[frame.type] ?? [])].sort(),
      );
      expect(frame.session_id).toBe(session_id);
      expect(Object.values(frame)).not.toContain(null);
    }
    for (const part of toolCalls(all)) {
      expect(part).toEqual({ id: expect.any(String), type: 'function', function: expect.anything() });
      expect(Object.keys(part.function).filter((key) => key !== 'complete')).toEqual(['name', 'arguments']);
    }
  });

  it('have one start and one end each, under the id of the call, with a text as the output', async () => {
    const all = await frames();
    for (const { id, function: called } of toolCalls(all)) {
      const [start, end] = ['tool_start', 'tool_end'].map((type) =>
        ofType(all, type).filter(({ tool_call_id }) => tool_call_id === id),
      );
      expect(start).toMatchObject([{ tool_name: called.name }]);
      expect(end).toMatchObject([{ tool_name: called.name, tool_output: expect.any(String) }]);
    }
  });
});

describe('a tool that fails', () => {
  it('has an end like any other, and the answer goes on', async () => {
    stack.model.play([{ calls: [show('no such device')] }, { text: 'There is none.' }]);
    const chat = new WireChat(stack, '/v3/copilot/projects');
    const all = await readAsWebUi(await chat.open('look', randomUUID()));
    expect(orderOf(all)).toMatch(/^t+sec+d$/);
    expect(ofType(all, 'tool_end')[0]?.tool_output).toContain('no such device');
  });
});
