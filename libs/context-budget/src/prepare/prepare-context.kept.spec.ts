import { describe, expect, it } from '@jest/globals';
import { contentText } from '../messages/message';
import { MEDIA_TOKENS } from '../messages/message-texts';
import { charCounter } from '../testing/char-counter';
import { answer, call, calls, result, system, user } from '../testing/messages';
import { prepared, request } from '../testing/requests';
import { requestFaults } from '../../../../test/fakes/strict-provider';

const counter = charCounter();
const text = (length: number) => 'x'.repeat(length);

describe('prepareContext, what is kept', () => {
  it('A1: never keeps a result without its call, and starts with the user', () => {
    const history = [
      user('one'),
      calls('a', 'b'),
      result('a', text(400)),
      result('b', text(400)),
      answer('done'),
      user('two'),
      calls('c'),
      result('c'),
    ];
    for (let template = 200; template < 600; template += 10) {
      const { messages } = prepared(request(history, 1, { prompt: { template: text(template) } }), counter);
      expect(requestFaults(messages)).toEqual([]);
      expect(messages.findLast((message) => message.role === 'user')?.content).toBe('two');
    }
  });

  it('A4: shortens one result that alone exceeds the window, in the newest turn and three turns back', () => {
    const huge = `${text(10)}\n`.repeat(170_000);
    const older = [user('0'), calls('h'), result('h', huge), answer('ok')];
    const turn = (id: string) => [user(id), calls(id), result(id), answer('ok')];
    for (const history of [
      [user('show run'), calls('h'), result('h', huge)],
      [...older, ...turn('1'), ...turn('2'), user('3')],
    ]) {
      const { messages, report } = prepared(request(history, 16), counter);
      const shortened = messages.find((message) => message.role === 'tool' && message.toolCallId === 'h');
      expect(shortened?.content).toMatch(/\n\[\.\.\. 186\d{4} of 1870000 tokens left out \.\.\.]\n/);
      expect(report.shortenedResults).toBe(1);
      expect(report.messagesAfter).toBe(history.length);
      expect(requestFaults(messages)).toEqual([]);
    }
  });

  it('shortens a result above 2,000 tokens or a quarter of the message budget, whichever is more', () => {
    const history = [user('go'), calls('a'), result('a', text(9_000))];
    const kept = (contextLimitK: number) =>
      prepared(request(history, contextLimitK), counter).messages.at(-1);
    const sizeAt = (contextLimitK: number) => contentText(kept(contextLimitK)?.content ?? '').length;
    expect(sizeAt(8)).toBeLessThanOrEqual(2_000);
    expect(sizeAt(8)).toBeGreaterThan(1_900);
    expect(sizeAt(15)).toBeLessThanOrEqual(2_250);
    expect(sizeAt(15)).toBeGreaterThan(2_150);
  });

  it('shortens the newest exchange further rather than lose it, since the model would repeat it', () => {
    const history = [
      user('go'),
      calls('a', 'b', 'c'),
      ...['a', 'b', 'c'].map((id) => result(id, text(3_000))),
    ];
    const { messages } = prepared(request(history, 6), counter);
    expect(messages).toHaveLength(6);
    expect(requestFaults(messages)).toEqual([]);
  });

  it.each([
    ['call_9', '; read_tool_output with tool_call_id "call_9" reads or searches all of it ...]'],
    ['i'.repeat(5_000), ' tokens left out ...]'],
  ])('A4: where read_tool_output is bound, the marker names it and a short id (%#)', (id, ending) => {
    const reader = { name: 'read_tool_output', description: 'Reads on.', parameters: {} };
    const given = request([user('go'), calls(id), result(id, text(90_000))], 16, { tools: [reader] });
    const { messages, report } = prepared(given, counter);
    expect(contentText(messages.at(-1)?.content ?? '')).toContain(ending);
    expect(report.total).toBeLessThanOrEqual(9_600);
    expect(prepared({ ...given, messages }, counter).messages).toEqual(messages);
  });

  it('A5: keeps a parallel group whole or drops it whole', () => {
    const history = [
      user('old'),
      calls('a', 'b', 'c'),
      result('a', text(150)),
      result('b', text(150)),
      result('c', text(150)),
      answer('x'),
      user('new'),
    ];
    const sizes = new Set<number>();
    for (let template = 0; template < 590; template += 10) {
      const { messages } = prepared(request(history, 1, { prompt: { template: text(template) } }), counter);
      sizes.add(messages.filter((message) => message.role === 'tool').length);
    }
    expect([...sizes].sort()).toEqual([0, 3]);
  });

  it('A7: a trimmed history begins with a user message even inside a long turn', () => {
    const exchanges = Array.from({ length: 9 }, (_, index) => [
      calls(`c${index}`),
      result(`c${index}`, text(200)),
    ]).flat();
    const { messages } = prepared(request([user('go'), ...exchanges], 2), counter);
    expect(messages.length).toBeLessThan(exchanges.length);
    expect(messages[1]?.content).toBe('go');
    expect(requestFaults(messages)).toEqual([]);
  });

  it('A9, A10: counts call arguments and shortens them to valid JSON with id and name', () => {
    const config = JSON.stringify({
      project_id: 'p',
      device_configs: [
        {
          device_name: 'R1',
          config_commands: Array.from({ length: 8_000 }, (_, line) => `ip route 10.0.${line}.0`),
        },
      ],
    });
    const { messages, report } = prepared(
      request([user('go'), calls(call('a', config)), result('a')], 16),
      counter,
    );
    expect(report.total).toBeLessThanOrEqual(9_600);
    const shortened = messages[2];
    if (shortened?.role !== 'assistant') throw new Error('the exchange was dropped');
    expect(shortened.toolCalls[0]).toMatchObject({ id: 'a', name: 'show' });
    expect(JSON.parse(shortened.toolCalls[0]?.arguments ?? '')).toMatchObject({
      project_id: 'p',
      device_configs: [{ device_name: 'R1' }],
    });
    expect(shortened.toolCalls[0]?.arguments).toContain('tokens left out');
  });

  it('A12: an image costs a fixed number, its base64 text nothing', () => {
    const picture = user([
      { type: 'text', text: 'what is this?' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${text(400_000)}` } },
    ]);
    const turns = Array.from({ length: 10 }, () => [user('q'), answer('a')]).flat();
    const outcome = prepared(request([...turns, picture], 8), counter);
    expect(outcome.messages).toHaveLength(22);
    expect(counter.countMessage(picture)).toBe(4 + 13 + MEDIA_TOKENS);
  });

  it('A13: folds system texts from the middle into the one system message', () => {
    const { messages } = prepared(
      request([system('S1'), user('one'), answer('x'), system('S2'), user('two')], 16),
      counter,
    );
    expect(messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(messages[0]?.content).toBe('You operate a lab.\n\nS1\n\nS2');
  });

  it('A14: user messages in a row reach the model in order as one', () => {
    const { messages } = prepared(request([user('one'), user('two')], 16), counter);
    expect(messages.slice(1)).toEqual([user('one\n\ntwo')]);
  });

  it('A15, A17: a history that fits is the very same array, on the second turn too', () => {
    const history = [user('one'), calls('a'), result('a'), answer('done')];
    const first = prepared(request(history, 128), counter);
    expect(first.history).toBe(history);
    expect(first.dropped).toEqual([]);
    const longer = [...history, user(text(30_000))];
    expect(prepared(request(longer, 128), counter).history).toBe(longer);
  });

  it('A16: never changes what it is given', () => {
    const history = [
      user('one'),
      calls(call('a', `{"a":"${text(5_000)}"}`)),
      result('a', text(9_000)),
      user('  '),
      calls('a'),
    ];
    const copy = structuredClone(history);
    prepared(request(history, 4), counter);
    expect(history).toEqual(copy);
  });
});
