import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** Who a request comes from. */
export interface Identity {
  readonly userId: string;
}

/** Beside the request and not on it, so that nothing in a request can pass for an identity. */
const callers = new WeakMap<Request, Identity>();

export function rememberCaller(request: Request, caller: Identity): void {
  callers.set(request, caller);
}

export function callerOf(request: Request): Identity {
  const caller = callers.get(request);
  if (!caller) throw new Error('a route that asks for its caller must be behind CallerGuard');
  return caller;
}

/** The caller of the request, as a handler's parameter. */
export const Caller = createParamDecorator((_data: undefined, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<Request>()),
);
