import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Failures } from '../failures';
import { parseJson, type HttpRequest } from '../http/http-server';
import { stableUuid } from '../lab/lab-plan';
import { Gns3Refusal, notAuthenticated } from './gns3-error';

const LIFETIME_SECONDS = 24 * 60 * 60;
const MAX_LIVE_TOKENS = 10_000;

export interface Account {
  readonly username: string;
  readonly password: string;
  readonly userId: string;
  readonly isSuperadmin: boolean;
  readonly groupIds: readonly string[];
}

export interface UserGroup {
  readonly groupId: string;
  readonly name: string;
}

const ADMINISTRATORS = { groupId: stableUuid('group Administrators'), name: 'Administrators' };
const USERS = { groupId: stableUuid('group Users'), name: 'Users' };
/** The two that every server has. */
export const GROUPS: readonly UserGroup[] = [ADMINISTRATORS, USERS];

/** `admin` may do everything; `student` is an ordinary user who may use the open project only. */
const ACCOUNTS: readonly Account[] = [
  {
    username: 'admin',
    password: 'admin',
    userId: stableUuid('user admin'),
    isSuperadmin: true,
    groupIds: [ADMINISTRATORS.groupId],
  },
  {
    username: 'student',
    password: 'student',
    userId: stableUuid('user student'),
    isSuperadmin: false,
    groupIds: [USERS.groupId],
  },
];

const claims = z.object({ sub: z.string(), exp: z.number() });

/** Logins and HS256 tokens, as the real server gives them. */
export class Accounts {
  private readonly secret = randomBytes(32);
  /** Requests made with each token, for the `gns3-401-after` switch. */
  private readonly uses = new Map<string, number>();

  constructor(private readonly failures: Failures) {}

  login(username: string, password: string): { access_token: string; token_type: 'bearer' } {
    const account = ACCOUNTS.find((each) => each.username === username && each.password === password);
    if (!account || this.failures.isOn('gns3-login-401'))
      throw notAuthenticated('Authentication was unsuccessful.');
    return { access_token: this.sign(account.username), token_type: 'bearer' };
  }

  list(): readonly Account[] {
    return ACCOUNTS;
  }

  get(userId: string): Account {
    const account = ACCOUNTS.find((each) => each.userId === userId.toLowerCase());
    if (!account) throw new Gns3Refusal(404, `User '${userId}' not found`);
    return account;
  }

  /** The caller of a request: a bearer token, or `?token=` as the web client sends it. */
  authenticate(request: HttpRequest): Account {
    const bearer = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const token = bearer ?? request.query.get('token') ?? undefined;
    if (token === undefined) throw notAuthenticated('Not authenticated');
    const account = this.verify(token);
    if (!account || this.isUsedUp(token)) throw notAuthenticated('Could not validate credentials');
    return account;
  }

  private isUsedUp(token: string): boolean {
    const limit = this.failures.number('gns3-401-after');
    if (limit === undefined) return false;
    if (this.uses.size > MAX_LIVE_TOKENS) this.uses.clear();
    const used = this.uses.get(token) ?? 0;
    this.uses.set(token, used + 1);
    return used >= limit;
  }

  private sign(username: string): string {
    const exp = Math.floor(Date.now() / 1000) + LIFETIME_SECONDS;
    const jti = randomBytes(8).toString('hex');
    const body = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: username, exp, ver: 0, jti })}`;
    return `${body}.${this.signature(body)}`;
  }

  private verify(token: string): Account | undefined {
    const [header = '', payload = '', signature = ''] = token.split('.');
    const expected = Buffer.from(this.signature(`${header}.${payload}`));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const parsed = claims.safeParse(parseJson(Buffer.from(payload, 'base64url').toString('utf8')));
    if (!parsed.success || parsed.data.exp < Date.now() / 1000) return undefined;
    return ACCOUNTS.find((each) => each.username === parsed.data.sub);
  }

  private signature(body: string): string {
    return createHmac('sha256', this.secret).update(body).digest('base64url');
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
