import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { UserRates } from '../rate-limits/user-rates';
import { AUTHENTICATOR, type Authenticator } from './authenticator';
import { bearerToken } from './bearer-token';
import { rememberCaller } from './caller';

/** Says who is calling, or refuses with 401; a caller who asks too often is refused with 429. */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(
    @Inject(AUTHENTICATOR) private readonly authenticator: Authenticator,
    private readonly rates: UserRates,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const caller = await this.authenticator.identify(bearerToken(request));
    await this.rates.assertWithin(caller, 'requests');
    rememberCaller(request, caller);
    return true;
  }
}
