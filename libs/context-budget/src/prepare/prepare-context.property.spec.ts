import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type BudgetMessage, contentText } from '../messages/message';
import { charCounter } from '../testing/char-counter';
import { requestFaults } from '../../../../test/fakes/strict-provider';
import { prepareContext } from './prepare-context';

const counter = charCounter(4);
const RUNS = { numRuns: 300, seed: 7 };

const size = fc.oneof({ weight: 5, arbitrary: fc.nat(400) }, { weight: 1, arbitrary: fc.nat(60_000) });
const text = fc
  .tuple(fc.constantFrom('a', 'é', '配', 'x\n', ' '), size)
  .map(([unit, chars]) => unit.repeat(chars));
const callId = fc.constantFrom('a', 'b', 'c', 'call_0', '');

/** One assistant message and results that may be missing, doubled, foreign or without an id. */
const exchange = fc
  .record({
    content: fc.oneof(fc.constant(''), text),
    ids: fc.array(callId, { maxLength: 4 }),
    json: text.map((value) => JSON.stringify({ value })),
    results: fc.array(fc.record({ id: callId, content: text }), { maxLength: 4 }),
  })
  .map(({ content, ids, json, results }): BudgetMessage[] => [
    { role: 'assistant', content, toolCalls: ids.map((id) => ({ id, name: 'show', arguments: json })) },
    ...results.map(({ id, content: output }) => ({ role: 'tool' as const, toolCallId: id, content: output })),
  ]);

const turn = fc
  .tuple(text, fc.array(exchange, { maxLength: 4 }), fc.option(text))
  .map(([question, exchanges, note]): BudgetMessage[] => [
    { role: 'user', content: question },
    ...(note === null ? [] : [{ role: 'system' as const, content: note.slice(0, 200) }]),
    ...exchanges.flat(),
  ]);

const history = fc
  .tuple(fc.option(exchange), fc.array(turn, { minLength: 1, maxLength: 12 }))
  .map(([orphan, turns]) => [...(orphan ?? []), ...turns.flat()])
  .map((messages) => messages.map((message, index) => ({ ...message, id: `m${index}` })));

const request = fc.record({
  messages: history,
  prompt: fc.record({ template: fc.nat(3_000).map((chars) => 'p'.repeat(chars) + '{{topology_info}}') }),
  tools: fc.constant([{ name: 'show', description: 'd'.repeat(800), parameters: {} }]),
  config: fc.record({
    model: fc.constant('m'),
    contextLimitK: fc.constantFrom(2, 8, 16, 128),
    strategy: fc.constantFrom('conservative' as const, 'balanced' as const, 'aggressive' as const),
  }),
  budgetFactor: fc.constantFrom(1, 0.8),
});

const latestUser = (messages: readonly BudgetMessage[]) =>
  messages.findLast((message) => message.role === 'user');
const budgetOf = ({
  config,
  budgetFactor,
}: {
  config: { contextLimitK: number; strategy: string };
  budgetFactor: number;
}) =>
  Math.floor(
    config.contextLimitK *
      { conservative: 600, balanced: 750, aggressive: 850 }[config.strategy as 'balanced'] *
      budgetFactor,
  );

describe('prepareContext, any history', () => {
  it('gives a request that every provider accepts, within the budget whenever the kept minimum fits', () => {
    fc.assert(
      fc.property(request, (input) => {
        const outcome = prepareContext(input, counter);
        if (!outcome.ok) return;
        expect(outcome.fallbackCause).toBeUndefined();
        expect(requestFaults(outcome.messages)).toEqual([]);
        const total = counter.countMessages(outcome.messages) + counter.countTools(input.tools);
        expect(outcome.report.total).toBe(total);
        if (outcome.warnings.length === 0) expect(total).toBeLessThanOrEqual(budgetOf(input));
        else expect(outcome.messages).toHaveLength(2);
      }),
      RUNS,
    );
  });

  it('refuses only what is above the window even with nothing but system, tools and user message', () => {
    fc.assert(
      fc.property(request, (input) => {
        const outcome = prepareContext(input, counter);
        const minimum = outcome.ok
          ? 0
          : outcome.error.systemTokens + outcome.error.toolTokens + outcome.error.userTokens;
        expect(minimum > input.config.contextLimitK * 1_000).toBe(!outcome.ok);
      }),
      RUNS,
    );
  });

  it('keeps the latest user message whole and the order of all others', () => {
    fc.assert(
      fc.property(request, (input) => {
        const outcome = prepareContext(input, counter);
        if (!outcome.ok) return;
        const asked = contentText(latestUser(input.messages)?.content ?? '');
        const sent = contentText(latestUser(outcome.messages)?.content ?? '');
        expect(sent.endsWith(asked.trim() === '' ? '(no text)' : asked)).toBe(true);
        const positions = outcome.history
          .filter((message) => message.role !== 'tool')
          .map((message) => input.messages.findIndex((given) => given.id === message.id));
        expect(positions).toEqual(positions.toSorted((first, second) => first - second));
      }),
      RUNS,
    );
  });

  it('changes nothing it is given, and nothing the second time', () => {
    fc.assert(
      fc.property(request, (input) => {
        const copy = structuredClone(input);
        const outcome = prepareContext(input, counter);
        expect(input).toEqual(copy);
        if (!outcome.ok) return;
        const again = prepareContext({ ...input, messages: outcome.messages }, counter);
        expect(again).toMatchObject({ ok: true, messages: outcome.messages });
      }),
      RUNS,
    );
  });

  it('passes a sound history that fits through as it is', () => {
    fc.assert(
      fc.property(request, (input) => {
        const outcome = prepareContext(
          { ...input, config: { ...input.config, contextLimitK: 10_000 }, budgetFactor: 1 },
          counter,
        );
        if (!outcome.ok) throw new Error(outcome.error.message);
        const sound = { ...input, messages: outcome.history };
        const again = prepareContext(
          { ...sound, config: { ...input.config, contextLimitK: 10_000 } },
          counter,
        );
        if (!again.ok) throw new Error(again.error.message);
        expect(again.history).toBe(outcome.history);
      }),
      RUNS,
    );
  });
});
