import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AUTHENTICATOR, type Authenticator } from './authenticator';
import { bearerToken } from './bearer-token';
import { rememberCaller } from './caller';

/** Says who is calling, or refuses with 401. */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(@Inject(AUTHENTICATOR) private readonly authenticator: Authenticator) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    rememberCaller(request, await this.authenticator.identify(bearerToken(request)));
    return true;
  }
}
