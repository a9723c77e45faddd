import { describe, expect, it } from '@jest/globals';
import { MessageCounter, TokenCountError } from '../messages/message-counter';
import { charCounter } from '../testing/char-counter';
import { answer, calls, result, user } from '../testing/messages';
import { prepared, request } from '../testing/requests';
import { prepareContext } from './prepare-context';

const counter = charCounter();
const text = (length: number) => 'x'.repeat(length);
const tool = (name: string, length: number) => ({ name, description: text(length), parameters: {} });

describe('prepareContext, when it does not fit', () => {
  it('sends system and user message with a warning when only the window has room for them', () => {
    const outcome = prepared(
      request([user('old'), answer('x'), user('new')], 16, { prompt: { template: text(12_000) } }),
      counter,
    );
    expect(outcome.messages.map((message) => message.role)).toEqual(['system', 'user']);
    expect(outcome.dropped).toHaveLength(2);
    expect(outcome.warnings).toEqual([expect.objectContaining({ code: 'system_over_budget' })]);
    expect(outcome.warnings[0]?.message).toContain('12004');
  });

  it('names the message when it is the message that is too long', () => {
    const outcome = prepared(request([user(text(11_000))], 16), counter);
    expect(outcome.warnings.map((warning) => warning.code)).toEqual(['message_over_budget']);
  });

  it('A11b: names the tool tokens and the largest tools when tools alone are above the budget', () => {
    const tools = [
      ...Array.from({ length: 24 }, (_, index) => tool(`small_${index}`, 430)),
      tool('giant', 900),
    ];
    const outcome = prepared(request([user('hello')], 16, { tools }), counter);
    expect(outcome.warnings[0]?.code).toBe('tools_over_budget');
    expect(outcome.warnings[0]?.message).toContain(`${counter.countTools(tools)} tokens`);
    expect(outcome.warnings[0]?.message).toContain('Largest tools: giant 9');
    expect(outcome.messages.at(-1)?.content).toBe('hello');
  });

  it('A2: refuses with the three figures and the smallest limit that would do', () => {
    const outcome = prepareContext(request([user(text(3_000))], 1), counter);
    expect(outcome).toMatchObject({
      ok: false,
      error: {
        code: 'context_too_large',
        systemTokens: 22,
        toolTokens: 0,
        userTokens: 3_004,
        requiredLimitK: 4,
      },
    });
    expect(prepareContext(request([user(text(3_000))], 4), counter).ok).toBe(true);
    expect(prepareContext(request([user(text(3_000))], 3), counter).ok).toBe(false);
  });

  it('a retry after an overflow uses 80 % of the budget', () => {
    const history = Array.from({ length: 40 }, () => [user(text(120)), answer(text(120))]).flat();
    const { report } = prepared(request(history, 16, { budgetFactor: 0.8 }), counter);
    expect(report.total).toBeLessThanOrEqual(7_680);
    expect(report.total).toBeGreaterThan(7_400);
  });

  it('corrects to the safe side only, and reports uncorrected figures', () => {
    const history = Array.from({ length: 40 }, () => [user(text(120)), answer(text(120))]).flat();
    const total = (correction: number) =>
      prepared(request(history, 16, { correction }), counter).report.total;
    expect(total(1.5)).toBeLessThanOrEqual(6_400);
    expect(total(0.7)).toBe(total(1));
    expect(prepared(request(history, 16, { correction: 0.7 }), counter).report.correction).toBe(0.7);
    expect(prepareContext(request([user(text(3_000))], 4, { correction: 1.4 }), counter)).toMatchObject({
      error: { requiredLimitK: 5 },
    });
  });

  it('falls back to valid last messages when trimming throws, and says why', () => {
    const broken = {
      ...user('x'),
      get content(): string {
        throw new Error('broken message');
      },
    };
    const outcome = prepared(request([broken, user('go'), calls('a'), result('a')], 16), counter);
    expect(outcome.fallbackCause).toEqual(new Error('broken message'));
    expect(outcome.history.map((message) => message.role)).toEqual(['user', 'assistant', 'tool']);
  });

  it('ends with an error when counting itself fails', () => {
    const failing = new MessageCounter({
      countSteps() {
        throw new Error('no ranks');
      },
    });
    expect(() => prepareContext(request([user('go')], 16), failing)).toThrow(TokenCountError);
  });
});
