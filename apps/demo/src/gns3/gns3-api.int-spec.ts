import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { startDemo, type Demo } from '../demo';
import { ConsoleClient } from '../testing/console-client';
import { DemoClient } from '../testing/demo-client';
import { QUICK } from '../testing/quick-config';

const ARCHIVE = '22222222-2222-4222-8222-222222222222';
const LOGIN = '/v3/access/users/authenticate';

describe('the GNS3 API of the demo', () => {
  let demo: Demo;
  let client: DemoClient;

  beforeAll(async () => {
    demo = await startDemo(QUICK, pino({ level: 'silent' }));
    client = await DemoClient.login(demo);
  });

  afterAll(async () => demo.close());

  async function nodePath(name: string): Promise<string> {
    const node = (await client.nodes()).find((each) => each.name === name);
    return `/v3/projects/${demo.projectId}/nodes/${node?.node_id ?? ''}`;
  }

  async function failWith(...switches: string[]): Promise<void> {
    await client.fetch('/demo/failures', 'POST', { set: switches });
  }

  it('tells its version to everyone, and nothing else to a caller without a token', async () => {
    const version = await fetch(`${demo.gns3Url}/v3/version`);
    expect(await version.json()).toMatchObject({ version: expect.stringMatching(/^3\./) });
    const refused = await fetch(`${demo.gns3Url}/v3/projects`);
    expect([refused.status, refused.headers.get('www-authenticate'), await refused.json()]).toEqual([
      401,
      'Bearer',
      { message: 'Not authenticated' },
    ]);
  });

  it('takes a login as a form and as JSON, and a token as header and as query', async () => {
    const form = new URLSearchParams({ username: 'admin', password: 'admin' });
    const login = await fetch(`${demo.gns3Url}/v3/access/users/login`, { method: 'POST', body: form });
    const body: unknown = await login.json();
    expect(body).toEqual({
      access_token: expect.stringMatching(/^ey[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'bearer',
    });
    const token = JSON.stringify(body).split('"')[3] ?? '';
    const me = await fetch(`${demo.gns3Url}/v3/access/users/me?token=${token}`);
    expect(await me.json()).toMatchObject({ username: 'admin', is_superadmin: true });
  });

  it('shows users and groups to the administrator, and to an ordinary user the own account only', async () => {
    const get = async (who: DemoClient, path: string) => {
      const response = await who.fetch(`/v3/access${path}`);
      return { status: response.status, body: await response.json() };
    };
    const student = await DemoClient.login(demo, 'student');
    const me = (await get(student, '/users/me')).body as { user_id: string };
    expect(me).toMatchObject({ username: 'student', is_superadmin: false });
    await expect(get(student, `/users/${me.user_id}/groups`)).resolves.toEqual({
      status: 403,
      body: { message: 'Permission denied (privilege User.Audit is required)' },
    });
    const { body } = await get(client, `/users/${me.user_id}/groups`);
    expect(body).toEqual([expect.objectContaining({ name: 'Users', user_group_id: expect.any(String) })]);
    const [{ user_group_id: groupId }] = body as [{ user_group_id: string }];
    await expect(get(client, `/groups/${groupId}`)).resolves.toMatchObject({ status: 200 });
    await expect(get(student, `/groups/${groupId}`)).resolves.toMatchObject({ status: 403 });
    const path = `/v3/access/groups/${groupId}`;
    expect((await client.fetch(path, 'PUT', [])).status).toBe(422);
    expect((await student.fetch(path, 'PUT', [])).status).toBe(403);
    await expect(get(client, '/users/nobody')).resolves.toMatchObject({ status: 404 });
  });

  it('refuses a wrong password and a forged token', async () => {
    const wrong = await fetch(demo.gns3Url + LOGIN, {
      method: 'POST',
      body: '{"username":"admin","password":"x"}',
    });
    expect([wrong.status, await wrong.json()]).toEqual([
      401,
      { message: 'Authentication was unsuccessful.' },
    ]);
    const forged = await fetch(`${demo.gns3Url}/v3/projects`, { headers: { authorization: 'Bearer a.b.c' } });
    expect([forged.status, await forged.json()]).toEqual([
      401,
      { message: 'Could not validate credentials' },
    ]);
  });

  it('describes nodes and links with the real field names, and a switch without a console', async () => {
    const nodes = await client.get(`/v3/projects/${demo.projectId}/nodes`);
    expect(nodes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: 'R1',
          status: 'started',
          console_type: 'telnet',
          console_host: '127.0.0.1',
          tags: ['device_type:cisco_ios_telnet'],
        }),
        expect.objectContaining({
          name: 'SW1',
          node_type: 'ethernet_switch',
          console: null,
          console_type: 'none',
        }),
      ]),
    );
    const links = await client.get(`/v3/projects/${demo.projectId}/links`);
    expect(links).toHaveLength(4);
    expect(links).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          nodes: [
            expect.objectContaining({ adapter_number: 0, port_number: 0 }),
            expect.objectContaining({ adapter_number: 0, port_number: 0 }),
          ],
        }),
      ]),
    );
  });

  it('answers unknown projects, nodes, ids and routes as the real server does', async () => {
    const unknown = '33333333-3333-4333-8333-333333333333';
    const answer = async (path: string): Promise<unknown[]> => {
      const response = await client.fetch(path);
      return [response.status, await response.json()];
    };
    expect(await answer(`/v3/projects/${unknown}`)).toEqual([
      404,
      { message: `Project ID ${unknown} doesn't exist` },
    ]);
    expect(await answer(`/v3/projects/${demo.projectId}/nodes/${unknown}`)).toEqual([
      404,
      { message: `Node ID ${unknown} doesn't exist` },
    ]);
    expect((await answer('/v3/projects/not-a-uuid'))[0]).toBe(422);
    expect(await answer('/v3/nothing')).toEqual([404, { detail: 'Not Found' }]);
  });

  it('keeps the nodes of a closed project to itself until it is opened', async () => {
    const closed = await client.fetch(`/v3/projects/${ARCHIVE}/nodes`);
    expect([closed.status, await closed.json()]).toEqual([403, { message: 'The project is not opened' }]);
    expect((await client.fetch(`/v3/projects/${ARCHIVE}/open`, 'POST')).status).toBe(201);
    expect(await client.get(`/v3/projects/${ARCHIVE}/nodes`)).toEqual([]);
    expect((await client.fetch(`/v3/projects/${ARCHIVE}/close`, 'POST')).status).toBe(204);
  });

  it('lets an ordinary user see the demo project only', async () => {
    const student = await DemoClient.login(demo, 'student');
    expect(await student.get('/v3/projects')).toEqual([expect.objectContaining({ name: 'demo' })]);
    expect((await student.fetch(`/v3/projects/${ARCHIVE}`)).status).toBe(403);
  });

  it('refuses connections to the console of a stopped node, and takes them again at the same port', async () => {
    const port = await client.consolePort('R2');
    const watcher = await ConsoleClient.connect(port);
    expect((await client.fetch(`${await nodePath('R2')}/stop`, 'POST')).status).toBe(204);
    await watcher.closed();
    expect(await client.get(await nodePath('R2'))).toMatchObject({ status: 'stopped', console: port });
    await expect(ConsoleClient.connect(port)).rejects.toThrow('ECONNREFUSED');
    await client.fetch(`${await nodePath('R2')}/start`, 'POST');
    const console = await ConsoleClient.connect(port);
    expect(await console.ask('', /R2>$/)).toContain('Press RETURN');
    console.close();
  });

  it('lets a suspended node go on where it was, and starting a started node changes nothing', async () => {
    const console = await client.openConsole('R2');
    await console.ask('', /R2[>#]$/);
    await console.ask('enable', /R2#$/);
    await client.fetch(`${await nodePath('R2')}/suspend`, 'POST');
    await console.closed();
    expect(await client.get(await nodePath('R2'))).toMatchObject({ status: 'suspended' });
    await client.fetch(`${await nodePath('R2')}/start`, 'POST');
    const again = await client.openConsole('R2');
    await client.fetch(`${await nodePath('R2')}/start`, 'POST');
    expect(await again.ask('', /R2[>#]$/)).toContain('R2#');
    again.close();
  });

  it('shows all clients of a console the same screen', async () => {
    const first = await client.openConsole('PC1');
    const second = await client.openConsole('PC1');
    await first.ask('show ip', /MTU[\s\S]*PC1> $/);
    expect(await second.until(/MTU[\s\S]*PC1> $/)).toContain('IP/MASK     : 192.168.1.10/24');
    first.close();
    second.close();
  });

  it('offers echo and suppress-go-ahead by itself, and keeps what a client answers out of the command line', async () => {
    const console = await client.openConsole('PC1');
    console.type(Buffer.from([255, 253, 1, 255, 253, 3, 255, 251, 31, 255, 250, 31, 0, 80, 0, 24, 255, 240]));
    expect(await console.ask('version', /version 0\.8\.3[\s\S]*PC1> $/)).not.toContain('Bad command');
    console.close();
  });

  it('fails as the switches say: console refused, token used up, server down', async () => {
    await failWith('console-refuse=R1');
    await expect(client.openConsole('R1')).rejects.toThrow('ECONNREFUSED');
    await failWith('gns3-401-after=1');
    expect((await client.fetch('/v3/projects')).status).toBe(200);
    expect((await client.fetch('/v3/projects')).status).toBe(401);
    await failWith('gns3-500');
    const down = await client.fetch('/v3/projects');
    expect([down.status, down.headers.get('content-type')]).toEqual([500, 'text/html']);
    await failWith();
    expect((await client.fetch('/v3/projects')).status).toBe(200);
  });

  it('obeys a line at which it drops the connection', async () => {
    await failWith('console-drop=R1:show clock');
    await client.fetch('/demo/commands', 'DELETE');
    const console = await client.openConsole('R1');
    console.type('\rshow clock\r');
    await console.closed();
    await failWith();
    expect(await client.get('/demo/commands')).toEqual([
      expect.objectContaining({ node: 'R1', line: 'show clock' }),
    ]);
  });

  it('obeys a line after which it says nothing more, and speaks again when the switch is gone', async () => {
    await failWith('console-hang=R2:show clock');
    const console = await client.openConsole('R2');
    await console.ask('', /R2[>#]$/);
    await client.fetch('/demo/commands', 'DELETE');
    console.type('show clock\r');
    let received: unknown = [];
    while (JSON.stringify(received) === '[]') received = await client.get('/demo/commands');
    expect(received).toEqual([expect.objectContaining({ node: 'R2', line: 'show clock' })]);
    await failWith();
    expect(await console.ask('', /R2[>#]$/)).not.toContain('UTC');
    console.close();
  });

  it('refuses a failure switch that it does not know', async () => {
    const response = await client.fetch('/demo/failures', 'POST', { set: ['gns3-501'] });
    expect([response.status, await response.text()]).toEqual([
      422,
      expect.stringContaining('unknown failure switch: gns3-501'),
    ]);
  });
});
