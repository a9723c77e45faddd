import { describe, expect, it } from '@jest/globals';
import type { BudgetMessage, HistoryMessage } from '../messages/message';
import { charCounter } from '../testing/char-counter';
import { answer, call, calls, result, user } from '../testing/messages';
import { summarySource, unsummarized } from './summary-source';

const counter = charCounter();
const named = <M extends BudgetMessage>(...messages: M[]): M[] =>
  messages.map((message, index) => ({ ...message, id: `m${index}` }));
const source = (messages: readonly BudgetMessage[], maxTokens = 10_000) =>
  summarySource(messages, maxTokens, counter, async () => {});

describe('unsummarized', () => {
  const history = named<HistoryMessage>(
    user('one'),
    answer('1'),
    user('two'),
    calls('a'),
    result('a'),
    calls('b'),
    result('b'),
  );

  it('begins behind what the summary has and ends with the last that is left out', () => {
    expect(unsummarized(history, history.slice(0, 2), undefined)).toEqual(history.slice(0, 2));
    expect(unsummarized(history, history.slice(0, 5), 'm1')).toEqual(history.slice(2, 5));
  });

  it('takes in the question of a turn whose first exchanges are left out', () => {
    const leftOut = [...history.slice(0, 2), ...history.slice(3, 5)];
    expect(unsummarized(history, leftOut, 'm1')).toEqual(history.slice(2, 5));
  });

  it('is nothing while no more is left out than the summary has, or less', () => {
    expect(unsummarized(history, history.slice(0, 2), 'm1')).toEqual([]);
    expect(unsummarized(history, [], 'm1')).toEqual([]);
    expect(unsummarized(history, [], undefined)).toEqual([]);
  });

  it('knows a synthetic message, which has no id, by its neighbours', () => {
    expect(unsummarized(history, [...history.slice(0, 2), result('x')], undefined)).toEqual(
      history.slice(0, 2),
    );
  });
});

describe('summarySource', () => {
  it('says who said, called and answered what, in order', async () => {
    const messages = [
      user('Why is OSPF down?'),
      calls(call('a', '{"x":1}')),
      { ...result('a', 'timer'), name: 'show' },
      answer('The timer.'),
    ];
    expect(await source(messages)).toBe(
      'User: Why is OSPF down?\n\nAssistant called show: {"x":1}\n\nResult of show: timer\n\nAssistant: The timer.',
    );
  });

  it('shortens long parts, and the whole to its limit', async () => {
    const long = [user('look'), calls('a'), result('a', 'x'.repeat(1_000_000))];
    const text = await source(long);
    expect(text.length).toBeLessThan(1_200);
    expect(text).toContain('tokens left out');
    const many = Array.from({ length: 50 }, () => long).flat();
    expect((await source(many, 3_000)).length).toBeLessThan(3_050);
  });
});
