import { RunError } from '@copilot/contracts';
import { describe, expect, it } from '@jest/globals';
import { isContextOverflow, toInterruption, toModelFailure } from './model-failure';

const LABEL = "'m' at http://model.example/v1";

describe('toModelFailure', () => {
  it('tells a refusal in the form that the web UI reads, with the remedy', () => {
    const refusal = Object.assign(new Error('401 nope'), { status: 401, error: { message: "Bad 'key'" } });
    const failure = toModelFailure(refusal, LABEL);
    expect(failure.code).toBe('model_refused');
    expect(failure.message).toBe(
      `Error code: 401 - {'error': {'message': 'Bad "key"'}}. The model ${LABEL} refused the request. Check the API key of the model configuration.`,
    );
  });

  it('says which model cannot be reached, why, and what to check', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const failure = toModelFailure(new Error('Connection error.', { cause }), LABEL);
    expect(failure.code).toBe('model_unreachable');
    expect(failure.message).toContain(`${LABEL} cannot be reached (ECONNREFUSED)`);
    expect(failure.message).toContain('Check base_url');
  });

  it('passes a failure of our own on, however deep it is', () => {
    const own = new RunError('model_address_not_allowed', 'no');
    expect(
      toModelFailure(new Error('Connection error.', { cause: new Error('x', { cause: own }) }), LABEL),
    ).toBe(own);
  });

  it('bounds what a proxy says', () => {
    const refusal = Object.assign(new Error('x'), { status: 502, error: { message: 'p'.repeat(10_000) } });
    expect(toModelFailure(refusal, LABEL).message.length).toBeLessThan(600);
  });
});

describe('isContextOverflow', () => {
  const refusal = (status: number, message: string) =>
    Object.assign(new Error(`${status} ${message}`), { status, error: { message } });
  const tooLong = refusal(400, "This model's maximum context length is 8192 tokens.");

  it('knows the refusal of a request that is too long, also as the client library wraps it', () => {
    const wrapped = new Error(tooLong.message, { cause: tooLong });
    expect(isContextOverflow(tooLong)).toBe(true);
    expect(isContextOverflow(wrapped)).toBe(true);
    expect(toModelFailure(wrapped, LABEL).message).toContain("Error code: 400 - {'error'");
  });

  it.each([
    ['another refusal', refusal(400, 'bad temperature')],
    ['a fault of the provider', refusal(500, 'context length')],
    ['an error without an answer', new Error('context length')],
  ])('does not take %s for it', (_what, error) => {
    expect(isContextOverflow(error)).toBe(false);
  });
});

describe('toInterruption', () => {
  it('F13: marks the text so far as incomplete', () => {
    const failure = toInterruption(new Error('socket hang up'), LABEL);
    expect(failure.code).toBe('model_interrupted');
    expect(failure.message).toContain('incomplete');
  });
});
