import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

export interface Group {
  readonly id: string;
  readonly name: string;
}

export const GROUP_PRIVILEGES = ['Group.Audit', 'Group.Modify'] as const;
export type GroupPrivilege = (typeof GROUP_PRIVILEGES)[number];

/** What a token of AUTH_MODE=jwt allows. */
export interface Grants {
  readonly projects: 'all' | readonly string[];
  /** The caller's groups, whose model configs are the caller's too. */
  readonly groups: readonly Group[];
  /** Held on every group. */
  readonly groupPrivileges: readonly GroupPrivilege[];
}

/** Who a request comes from. */
export interface Identity {
  readonly userId: string;
  readonly isSuperadmin: boolean;
  /** The caller's own token at the GNS3 server, which then decides what the caller may do. */
  readonly gns3Token?: string;
  /** What the token says. Without it and without `gns3Token` the caller is the one local user. */
  readonly grants?: Grants;
}

/** Whoever is at this machine, with AUTH_MODE=none; its operator, as a rule. */
export function isLocalUser({ gns3Token, grants }: Identity): boolean {
  return gns3Token === undefined && grants === undefined;
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
