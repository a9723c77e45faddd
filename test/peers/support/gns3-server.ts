import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { findGns3Server } from '../../../scripts/lib/peers.mjs';
import { freePort } from '../../support/free-port';
import { PeerProcess } from './peer-process';

export const ADMIN = { username: 'admin', password: 'admin-password' };
const PASSWORD = 'a-password';
const FOLDERS = ['secrets', 'images', 'projects', 'appliances', 'symbols', 'configs', 'resources'];

const idSchema = z.object({
  user_id: z.string().optional(),
  user_group_id: z.string().optional(),
  project_id: z.string().optional(),
  node_id: z.string().optional(),
  link_id: z.string().optional(),
});
const roleSchema = z.object({ role_id: z.string(), name: z.string() });

/** The GNS3 server of PyPI, with its users, projects and web UI, in a folder of its own. */
export class Gns3Server {
  adminToken = '';

  private constructor(
    private readonly process: PeerProcess,
    private readonly folder: string,
    readonly port: number,
  ) {}

  static async start(): Promise<Gns3Server> {
    const { command, env } = await findGns3Server();
    const folder = await mkdtemp(join(tmpdir(), 'copilot-gns3-server-'));
    const port = await freePort();
    await Promise.all([...FOLDERS, 'home'].map((name) => mkdir(join(folder, name))));
    await writeFile(join(folder, 'gns3.conf'), configuration(folder, port));
    const process = new PeerProcess('gns3server', command, ['--config', join(folder, 'gns3.conf')], {
      env: { ...env, HOME: join(folder, 'home') },
      cwd: folder,
    });
    const server = new Gns3Server(process, folder, port);
    await process.answers(`${server.url}/v3/version`);
    server.adminToken = await server.logIn(ADMIN.username, ADMIN.password);
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** A token of the user. */
  async logIn(username: string, password = PASSWORD): Promise<string> {
    const answer = await this.call('POST', '/access/users/authenticate', { username, password }, '');
    return z.object({ access_token: z.string() }).parse(answer).access_token;
  }

  /** Takes back all of the user's tokens. */
  async logOut(token: string): Promise<void> {
    await this.call('POST', '/access/users/logout', undefined, token);
  }

  createUser(username: string): Promise<string> {
    return this.create('/access/users', { username, password: PASSWORD }, 'user_id');
  }

  createGroup(name: string): Promise<string> {
    return this.create('/access/groups', { name }, 'user_group_id');
  }

  async addToGroup(groupId: string, userId: string): Promise<void> {
    await this.call('PUT', `/access/groups/${groupId}/members/${userId}`);
  }

  /** Gives the user a built-in role on a path and on what is below it. */
  async allow(userId: string, roleName: string, path: string): Promise<void> {
    const roles = z.array(roleSchema).parse(await this.call('GET', '/access/roles'));
    const role = roles.find(({ name }) => name === roleName);
    const entry = {
      ace_type: 'user',
      user_id: userId,
      role_id: role?.role_id,
      path,
      propagate: true,
      allowed: true,
    };
    await this.call('POST', '/access/acl', entry);
  }

  /** One that stays open when the last web page that shows it is closed. */
  createProject(name: string): Promise<string> {
    return this.create('/projects', { name, auto_close: false }, 'project_id');
  }

  async closeProject(projectId: string): Promise<void> {
    await this.call('POST', `/projects/${projectId}/close`);
  }

  async openProject(projectId: string): Promise<void> {
    await this.call('POST', `/projects/${projectId}/open`);
  }

  /** A PC, which is not started: no package of Debian or PyPI has a VPCS that is new enough, or uBridge. */
  createPc(projectId: string, name: string): Promise<string> {
    const pc = { name, node_type: 'vpcs', compute_id: 'local', tags: ['device_type:gns3_vpcs_telnet'] };
    return this.create(`/projects/${projectId}/nodes`, pc, 'node_id');
  }

  link(projectId: string, ...nodeIds: string[]): Promise<string> {
    const nodes = nodeIds.map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
    return this.create(`/projects/${projectId}/links`, { nodes }, 'link_id');
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** As the administrator, unless another token is given. */
  async call(method: string, path: string, body?: unknown, token = this.adminToken): Promise<unknown> {
    const response = await fetch(`${this.url}/v3${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  private async create(path: string, body: unknown, id: keyof z.infer<typeof idSchema>): Promise<string> {
    const created = idSchema.parse(await this.call('POST', path, body))[id];
    if (created === undefined) throw new Error(`${path} gave no ${id}`);
    return created;
  }
}

const configuration = (folder: string, port: number) => `
[Controller]
default_admin_username = ${ADMIN.username}
default_admin_password = ${ADMIN.password}
[Server]
host = 127.0.0.1
port = ${port}
report_errors = False
auto_discover_images = False
secrets_dir = ${folder}/secrets
images_path = ${folder}/images
projects_path = ${folder}/projects
appliances_path = ${folder}/appliances
symbols_path = ${folder}/symbols
configs_path = ${folder}/configs
resources_path = ${folder}/resources
`;
