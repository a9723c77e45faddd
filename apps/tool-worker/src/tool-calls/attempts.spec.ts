import { describe, expect, it } from '@jest/globals';
import { withRetries } from './attempts';

const never = new AbortController().signal;

/** A call that ends as listed, one entry an attempt. */
function ending(...ends: readonly unknown[]) {
  let attempts = 0;
  const run = async () => {
    const end = ends[attempts];
    attempts += 1;
    if (end instanceof Error) throw end;
    return end;
  };
  return { run, made: () => attempts };
}

const rules = (retries: number, signal = never) => ({ retries, pauseMs: 0, signal });
const broken = new Error('broken');

describe('withRetries', () => {
  it('C12: runs a call again until it works, and says how often', async () => {
    const { run, made } = ending(broken, broken, 'ok');
    await expect(withRetries(run, rules(2))).resolves.toEqual({ ok: true, value: 'ok', retries: 2 });
    expect(made()).toBe(3);
  });

  it('gives up after the last attempt with its error', async () => {
    const { run, made } = ending(broken, broken, broken, 'late');
    await expect(withRetries(run, rules(2))).resolves.toEqual({ ok: false, error: broken, retries: 2 });
    expect(made()).toBe(3);
  });

  it('makes one attempt without retries', async () => {
    const { run, made } = ending(broken);
    await expect(withRetries(run, rules(0))).resolves.toMatchObject({ ok: false, retries: 0 });
    expect(made()).toBe(1);
  });

  it('counts a result in which no device answered as a failure', async () => {
    const failed = [{ status: 'failed' }, { status: 'failed' }];
    const { run } = ending(failed, [{ status: 'failed' }, { status: 'success' }]);
    await expect(withRetries(run, rules(5))).resolves.toMatchObject({ ok: true, retries: 1 });
  });

  it.each(['text', [], {}, [{ status: 'partial_success' }]])('takes %j as it is', async (value) => {
    const { run } = ending(value);
    await expect(withRetries(run, rules(5))).resolves.toEqual({ ok: true, value, retries: 0 });
  });

  it('makes no further attempt once the call was stopped', async () => {
    const stop = new AbortController();
    const { run, made } = ending(broken, 'ok');
    const attempted = withRetries(run, { retries: 3, pauseMs: 60_000, signal: stop.signal });
    stop.abort();
    await expect(attempted).resolves.toEqual({ ok: false, error: broken, retries: 0 });
    expect(made()).toBe(1);
  });
});
