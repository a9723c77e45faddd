import { describe, expect, it, jest } from '@jest/globals';
import { runYielding } from '../counting/steps';
import { tokenCounter } from '../counting/token-counter';
import { call, calls, result, user } from '../testing/messages';
import { CountMemo } from './count-memo';
import { MessageCounter, toolJson } from './message-counter';
import { MEDIA_TOKENS, MESSAGE_OVERHEAD_TOKENS, TOOL_CALL_OVERHEAD_TOKENS } from './message-texts';

const tokens = tokenCounter();

/** Counts a character as a token and remembers what it was asked. */
function recording() {
  const asked: string[] = [];
  const counter = new MessageCounter({
    *countSteps(text) {
      asked.push(text);
      return text.length;
    },
  });
  return { asked, counter };
}

describe('MessageCounter', () => {
  const counter = new MessageCounter(tokens);

  it('A9: counts the names and arguments of calls', () => {
    const json = JSON.stringify({ commands: 'x'.repeat(40_000) });
    const message = calls(call('a', json));
    expect(counter.countMessage(message)).toBe(
      MESSAGE_OVERHEAD_TOKENS + TOOL_CALL_OVERHEAD_TOKENS + tokens.count('show') + tokens.count(json),
    );
  });

  it('A11: a tool costs its compact JSON definition', () => {
    const tool = { name: 'show', description: '在多个网络设备上执行命令', parameters: { type: 'object' } };
    const json =
      '{"type":"function","function":{"name":"show","description":"在多个网络设备上执行命令","parameters":{"type":"object"}}}';
    expect(toolJson(tool)).toBe(json);
    expect(counter.countTools([tool, tool])).toBe(2 * tokens.count(json));
  });

  it.each([
    ['an image', { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(90_000)}` } }, 0],
    ['a block of an unknown kind with encoded data', { type: 'scan', source: 'A'.repeat(90_000) }, 1],
  ])('A12: %s costs a fixed number, not its data', (_name, block, jsonCounted) => {
    const count = counter.countMessage(user([{ type: 'text', text: 'look' }, block]));
    const json = jsonCounted ? tokens.count('{"type":"scan","source":""}') : 0;
    expect(count).toBe(MESSAGE_OVERHEAD_TOKENS + tokens.count('look') + MEDIA_TOKENS + json);
  });

  it('counts the text in a block of an unknown kind', () => {
    const thinking = 'The neighbour is down because of the timer. '.repeat(50);
    expect(counter.countMessage(user([{ type: 'reasoning', reasoning: thinking }]))).toBeGreaterThan(
      tokens.count(thinking),
    );
  });

  it('B11: an unchanged message is counted once', () => {
    const { asked, counter: recorded } = recording();
    const history = Array.from({ length: 200 }, (_, index) => ({
      ...user(`prose ${index}`),
      id: `m${index}`,
    }));
    for (let iteration = 0; iteration < 20; iteration++) recorded.countMessages(structuredClone(history));
    expect(asked).toHaveLength(200);
  });

  it('counts again when the content under an id has changed', () => {
    const { counter: recorded } = recording();
    expect(recorded.countMessage({ ...result('a', 'up'), id: 'm' })).toBe(MESSAGE_OVERHEAD_TOKENS + 2);
    expect(recorded.countMessage({ ...result('a', 'no'), id: 'm' })).toBe(MESSAGE_OVERHEAD_TOKENS + 2);
    expect(recorded.countMessage({ ...result('a', 'down'), id: 'm' })).toBe(MESSAGE_OVERHEAD_TOKENS + 4);
  });

  it('gives the event loop back between many small messages', async () => {
    const yieldNow = jest.fn(async () => {});
    const { counter: recorded } = recording();
    for (let index = 0; index < 100; index++)
      await runYielding(recorded.messageSteps(user('x'.repeat(1_000))), yieldNow);
    expect(yieldNow).toHaveBeenCalledTimes(3);
  });
});

describe('CountMemo', () => {
  it('keeps what is in use and forgets the rest when it is full', () => {
    const memo = new CountMemo();
    const text = 'x'.repeat(7_000_000);
    memo.set('used', ['hello'], 1);
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) {
      memo.set(key, [text], 5);
      expect(memo.get('used', ['hello'])).toBe(1);
    }
    expect(memo.get('a', [text])).toBeUndefined();
    expect(memo.get('f', [text])).toBe(5);
    expect(memo.get('f', ['other'])).toBeUndefined();
  });
});
