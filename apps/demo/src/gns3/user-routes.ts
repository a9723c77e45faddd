import {
  parseJson,
  type HttpAnswer,
  type HttpHandler,
  type HttpRequest,
  type Routes,
} from '../http/http-server';
import { GROUPS, type Account, type Accounts, type UserGroup } from './accounts';
import { Gns3Refusal } from './gns3-error';

const ok = (json: unknown): HttpAnswer => ({ status: 200, json });
const TIMES = { created_at: '2026-01-01T00:00:00', updated_at: '2026-01-01T00:00:00' };

/** Users and groups, as far as a client has to know whom it is talking to. Nothing in them can be changed. */
export function addUserRoutes(routes: Routes, accounts: Accounts): Routes {
  const asUser =
    (handle: (account: Account, request: HttpRequest) => HttpAnswer): HttpHandler =>
    (request) =>
      handle(accounts.authenticate(request), request);
  /** Only administrators have privileges here. */
  const withPrivilege = (privilege: string, handle: (request: HttpRequest) => HttpAnswer): HttpHandler =>
    asUser((account, request) => {
      if (account.isSuperadmin) return handle(request);
      throw new Gns3Refusal(403, `Permission denied (privilege ${privilege} is required)`);
    });
  const user = ({ params }: HttpRequest) => accounts.get(params['userId'] ?? '');

  return routes
    .on(
      'GET',
      '/v3/access/users/me',
      asUser((account) => ok(userJson(account))),
    )
    .on(
      'GET',
      '/v3/access/users',
      withPrivilege('User.Audit', () => ok(accounts.list().map(userJson))),
    )
    .on(
      'GET',
      '/v3/access/users/:userId',
      withPrivilege('User.Audit', (request) => ok(userJson(user(request)))),
    )
    .on(
      'GET',
      '/v3/access/users/:userId/groups',
      withPrivilege('User.Audit', (request) => ok(groupsOf(user(request)).map(groupJson))),
    )
    .on(
      'GET',
      '/v3/access/groups',
      withPrivilege('Group.Audit', () => ok(GROUPS.map(groupJson))),
    )
    .on(
      'GET',
      '/v3/access/groups/:groupId',
      withPrivilege('Group.Audit', ({ params }) => ok(groupJson(findGroup(params['groupId'] ?? '')))),
    )
    .on(
      'PUT',
      '/v3/access/groups/:groupId',
      withPrivilege('Group.Modify', ({ params, body }) => {
        const given = parseJson(body);
        if (typeof given !== 'object' || given === null || Array.isArray(given)) {
          throw new Gns3Refusal(422, 'body: Input should be a valid dictionary');
        }
        const group = findGroup(params['groupId'] ?? '');
        throw new Gns3Refusal(403, `Built-in user group '${group.groupId}' cannot be updated`);
      }),
    );
}

function groupsOf({ groupIds }: Account): UserGroup[] {
  return GROUPS.filter(({ groupId }) => groupIds.includes(groupId));
}

function findGroup(groupId: string): UserGroup {
  const group = GROUPS.find((each) => each.groupId === groupId.toLowerCase());
  if (!group) throw new Gns3Refusal(404, `User group '${groupId}' not found`);
  return group;
}

function groupJson({ groupId, name }: UserGroup): Record<string, unknown> {
  return { user_group_id: groupId, name, is_builtin: true, ...TIMES };
}

function userJson(account: Account): Record<string, unknown> {
  return {
    user_id: account.userId,
    username: account.username,
    full_name: null,
    email: null,
    is_active: true,
    is_superadmin: account.isSuperadmin,
    last_login: null,
    ...TIMES,
  };
}
