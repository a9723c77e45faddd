import { createLogger } from '@copilot/observability';
import type { RateVerdict } from '@copilot/redis';
import { describe, expect, it, jest } from '@jest/globals';
import type { Identity } from '../auth/caller';
import { UserRates } from './user-rates';

const USER: Identity = { userId: 'u', isSuperadmin: false, gns3Token: 't' };
const log = createLogger('test', 'silent');

function ratesOf(verdict: () => Promise<RateVerdict>, limits = { requests: 600, messages: 30 }) {
  const hit = jest.fn(verdict);
  return { hit, rates: new UserRates({ hit }, limits, log) };
}
const refused = async (): Promise<RateVerdict> => ({ allowed: false, retryAfterMs: 1_500 });

describe('UserRates', () => {
  it('refuses with 429, the limit and the time to wait', async () => {
    await expect(ratesOf(refused).rates.assertWithin(USER, 'messages')).rejects.toMatchObject({
      status: 429,
      message: 'Too many messages: at most 30 a minute are answered. Try again in 2 s.',
      extras: { retryAfterSeconds: 2 },
    });
  });

  it('does not count where there is no limit, and not the one local user', async () => {
    const { hit, rates } = ratesOf(refused, { requests: 0, messages: 30 });
    await rates.assertWithin(USER, 'requests');
    await rates.assertWithin({ userId: 'local', isSuperadmin: false }, 'messages');
    expect(hit).not.toHaveBeenCalled();
  });

  it('lets everybody through while Redis is away', async () => {
    const { rates } = ratesOf(() => Promise.reject(new Error('Connection is closed.')));
    await expect(rates.assertWithin(USER, 'requests')).resolves.toBeUndefined();
  });
});
