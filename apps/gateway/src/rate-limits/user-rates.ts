import { isRedisUnavailable, type RateLimiter, type RateRule } from '@copilot/redis';
import type { Logger } from '@copilot/observability';
import { isLocalUser, type Identity } from '../auth/caller';
import { ApiError } from '../errors/api-error';

const WINDOW_MS = 60_000;

interface Limits {
  /** Requests a minute; 0 = no limit. */
  readonly requests: number;
  /** Of those, requests that start a run. */
  readonly messages: number;
}

/** How much one user may ask for in a minute. The one local user of AUTH_MODE=none is not limited. */
export class UserRates {
  constructor(
    private readonly limiter: Pick<RateLimiter, 'hit'>,
    private readonly limits: Limits,
    private readonly logger: Logger,
  ) {}

  /** Rejects with 429 and the time to wait. */
  async assertWithin(caller: Identity, kind: keyof Limits): Promise<void> {
    const max = this.limits[kind];
    if (max === 0 || isLocalUser(caller)) return;
    const rule: RateRule = { name: kind, max, windowMs: WINDOW_MS };
    const verdict = await this.verdict(rule, caller.userId);
    if (verdict.allowed) return;
    const seconds = Math.max(1, Math.ceil(verdict.retryAfterMs / 1_000));
    throw new ApiError(
      429,
      `Too many ${kind}: at most ${max} a minute are answered. Try again in ${seconds} s.`,
      { retryAfterSeconds: seconds },
    );
  }

  /** Without Redis nothing is counted; what needs Redis then says so itself. */
  private async verdict(rule: RateRule, userId: string) {
    try {
      return await this.limiter.hit(rule, userId);
    } catch (error) {
      if (!isRedisUnavailable(error)) throw error;
      this.logger.warn({ err: error }, 'requests are not counted while Redis is away');
      return { allowed: true } as const;
    }
  }
}
