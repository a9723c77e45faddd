import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RunClock } from './run-clock';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

describe('RunClock', () => {
  it('goes on from where an earlier claim of the run left off', () => {
    const clock = new RunClock({ elapsedMs: 4_000, remainingMs: 6_000 });
    jest.advanceTimersByTime(1_500);
    expect(clock.elapsedMs).toBe(5_500);
    expect(clock.remainingMs).toBe(4_500);
    expect(clock.over.aborted).toBe(false);
  });

  it('strikes at the deadline', () => {
    const clock = new RunClock({ elapsedMs: 4_000, remainingMs: 6_000 });
    jest.advanceTimersByTime(6_000);
    expect(clock.over.aborted).toBe(true);
    expect(clock.elapsedMs).toBeGreaterThanOrEqual(10_000);
  });

  it('strikes at once where the deadline has passed', () => {
    const clock = new RunClock({ elapsedMs: 11_000, remainingMs: -1_000 });
    jest.advanceTimersByTime(0);
    expect(clock.over.aborted).toBe(true);
    expect(clock.elapsedMs).toBeGreaterThanOrEqual(11_000);
    expect(clock.remainingMs).toBe(0);
  });

  it('strikes at a deadline that was moved, in either direction', () => {
    const later = new RunClock({ elapsedMs: 4_000, remainingMs: 6_000 });
    const sooner = new RunClock({ elapsedMs: 4_000, remainingMs: 6_000 });
    jest.advanceTimersByTime(1_000);
    later.moveDeadline(9_000);
    sooner.moveDeadline(500);
    jest.advanceTimersByTime(500);
    expect([later.over.aborted, sooner.over.aborted]).toEqual([false, true]);
    jest.advanceTimersByTime(8_499);
    expect(later.over.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(later.over.aborted).toBe(true);
    expect(later.elapsedMs).toBeGreaterThanOrEqual(14_000);
  });

  it('keeps a deadline that has struck', () => {
    const clock = new RunClock({ elapsedMs: 0, remainingMs: 1_000 });
    jest.advanceTimersByTime(1_000);
    clock.moveDeadline(60_000);
    expect(clock.remainingMs).toBe(0);
  });

  it('is over at once when the run is cancelled, with nothing left', () => {
    const clock = new RunClock({ elapsedMs: 0, remainingMs: 60_000 });
    clock.cancel();
    expect([clock.over.aborted, clock.cancelled, clock.remainingMs]).toEqual([true, true, 0]);
    expect(clock.elapsedMs).toBeLessThan(60_000);
    clock.stop();
  });

  it('strikes no more once it is stopped', () => {
    const clock = new RunClock({ elapsedMs: 0, remainingMs: 1_000 });
    clock.stop();
    jest.advanceTimersByTime(5_000);
    expect(clock.over.aborted).toBe(false);
  });
});
