import { describe, expect, it } from '@jest/globals';
import { withDeadline } from './deadline';

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
  });

const never = new AbortController().signal;

describe('withDeadline', () => {
  it('aborts with a TimeoutError when the time is over', async () => {
    await expect(withDeadline(never, 10, untilAborted)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('aborts with the reason of the outer signal, also of one that was aborted before', async () => {
    const outer = new AbortController();
    const waiting = withDeadline(outer.signal, 10_000, untilAborted);
    outer.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
    await expect(withDeadline(outer.signal, 10_000, untilAborted)).rejects.toThrow('stop');
  });

  it('hands the result through and leaves no timer behind', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    expect(await withDeadline(never, 10_000, async () => 'done')).toBe('done');
    expect(timers()).toBe(before);
  });
});
