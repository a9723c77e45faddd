import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ShortCache } from './short-cache';

let now = 0;

beforeEach(() => {
  now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('ShortCache', () => {
  it('asks once for a burst, and again when the time is over', async () => {
    const ask = jest.fn(async () => 'answer');
    const cache = new ShortCache<string>(1_000);
    await Promise.all(Array.from({ length: 100 }, () => cache.get('key', ask)));
    now = 999;
    await cache.get('key', ask);
    expect(ask).toHaveBeenCalledTimes(1);
    now = 1_000;
    await cache.get('key', ask);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('does not remember a failure', async () => {
    const cache = new ShortCache<string>(1_000);
    await expect(cache.get('key', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    await expect(cache.get('key', async () => 'back')).resolves.toBe('back');
  });

  it('holds no more than it may', async () => {
    const cache = new ShortCache<number>(1_000, 2);
    for (const key of ['a', 'b', 'c']) await cache.get(key, async () => 1);
    await expect(cache.get('c', async () => 2)).resolves.toBe(1);
    await expect(cache.get('a', async () => 2)).resolves.toBe(2);
  });
});
