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
    expect(clock.deadline.aborted).toBe(false);
  });

  it('strikes at the deadline', () => {
    const clock = new RunClock({ elapsedMs: 4_000, remainingMs: 6_000 });
    jest.advanceTimersByTime(6_000);
    expect(clock.deadline.aborted).toBe(true);
    expect(clock.elapsedMs).toBeGreaterThanOrEqual(10_000);
  });

  it('strikes at once where the deadline has passed', () => {
    const clock = new RunClock({ elapsedMs: 11_000, remainingMs: -1_000 });
    jest.advanceTimersByTime(0);
    expect(clock.deadline.aborted).toBe(true);
    expect(clock.elapsedMs).toBeGreaterThanOrEqual(11_000);
    expect(clock.remainingMs).toBe(0);
  });

  it('strikes no more once it is stopped', () => {
    const clock = new RunClock({ elapsedMs: 0, remainingMs: 1_000 });
    clock.stop();
    jest.advanceTimersByTime(5_000);
    expect(clock.deadline.aborted).toBe(false);
  });
});
