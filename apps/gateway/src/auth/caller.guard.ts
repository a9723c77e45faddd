import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { LOCAL_USER_ID } from '@copilot/contracts';
import type { Request } from 'express';
import { rememberCaller } from './caller';

/** Says who is calling. With AUTH_MODE=none, the only mode so far, it is always the one local user. */
@Injectable()
export class CallerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    rememberCaller(context.switchToHttp().getRequest<Request>(), { userId: LOCAL_USER_ID });
    return true;
  }
}
