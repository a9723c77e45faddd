import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** A user of the server, known by a token. */
export interface FakeUser {
  readonly user_id: string;
  readonly username: string;
  readonly is_superadmin?: boolean;
  readonly is_active?: boolean;
  /** Ids of groups of `groups`. */
  readonly groups?: readonly string[];
  /** Projects that the user may read; left out: all. */
  readonly projects?: readonly string[];
  readonly privileges?: readonly string[];
}

/** The token that the login of the service gets. */
export const SERVICE_TOKEN = 'token';
const SERVICE: FakeUser = { user_id: 'service', username: 'admin', is_superadmin: true };

/** A GNS3 server as far as the gateway asks one: logins, users, groups and the projects. */
export class FakeGns3 {
  /** Status by project id; any other project does not exist. */
  readonly projects = new Map<string, string>();
  /** By token. */
  readonly users = new Map<string, FakeUser>([[SERVICE_TOKEN, SERVICE]]);
  /** Name by id. */
  readonly groups = new Map<string, string>();
  projectReads = 0;
  userReads = 0;

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      request.resume();
      const [status, body] = this.answer(request);
      send(response, status, body);
    });
  }

  static async start(): Promise<FakeGns3> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeGns3(server);
  }

  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('a listening server has a port');
    return `http://127.0.0.1:${address.port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }

  private answer({ url = '', method, headers }: IncomingMessage): [number, unknown] {
    if (url === '/v3/access/users/authenticate') {
      return [200, { access_token: SERVICE_TOKEN, token_type: 'bearer' }];
    }
    const caller = this.users.get(headers.authorization?.replace('Bearer ', '') ?? '');
    if (!caller) return [401, { message: 'Could not validate credentials' }];
    const [, kind, id = '', rest] =
      /^\/v3\/(projects|access\/users|access\/groups)\/([^/]+)(\/groups)?$/.exec(url) ?? [];
    switch (kind) {
      case 'projects':
        return this.project(id, caller);
      case 'access/users':
        return id === 'me' ? this.me(caller) : this.user(id, rest !== undefined, caller);
      case 'access/groups':
        return this.group(id, method === 'GET' ? 'Group.Audit' : 'Group.Modify', caller);
      default:
        return [404, { detail: 'Not Found' }];
    }
  }

  private project(projectId: string, caller: FakeUser): [number, unknown] {
    this.projectReads += 1;
    const status = this.projects.get(projectId);
    if (status === undefined) return [404, { message: 'no such project' }];
    if (caller.projects && !caller.projects.includes(projectId)) return denied('Project.Audit');
    return [200, { project_id: projectId, name: 'lab', status }];
  }

  private me(caller: FakeUser): [number, unknown] {
    this.userReads += 1;
    return [200, caller];
  }

  private user(userId: string, groups: boolean, caller: FakeUser): [number, unknown] {
    if (!may(caller, 'User.Audit')) return denied('User.Audit');
    const user = [...this.users.values()].find(({ user_id }) => user_id === userId);
    if (!user) return [404, { message: `User '${userId}' not found` }];
    if (!groups) return [200, user];
    return [200, (user.groups ?? []).map((id) => ({ user_group_id: id, name: this.groups.get(id) }))];
  }

  /** As FastAPI does it: first the privilege, then the body, then what is asked for. */
  private group(groupId: string, privilege: string, caller: FakeUser): [number, unknown] {
    if (!may(caller, privilege)) return denied(privilege);
    if (privilege === 'Group.Modify') return [422, { message: 'body: Input should be a valid dictionary' }];
    const name = this.groups.get(groupId);
    if (name === undefined) return [404, { message: `User group '${groupId}' not found` }];
    return [200, { user_group_id: groupId, name }];
  }
}

function may({ is_superadmin, privileges = [] }: FakeUser, privilege: string): boolean {
  return is_superadmin === true || privileges.includes(privilege);
}

function denied(privilege: string): [number, unknown] {
  return [403, { message: `Permission denied (privilege ${privilege} is required)` }];
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
