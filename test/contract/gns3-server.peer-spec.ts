import { randomUUID } from 'node:crypto';
import { Gns3Client } from '@copilot/gns3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN, Gns3Server } from '../peers/support/gns3-server';

let server: Gns3Server;
let projectId: string;
let studentId: string;
let student: string;
let manager: string;
let groupId: string;

const withToken = (token: string) => new Gns3Client({ baseUrl: server.url, credentials: { token } });
const service = (password = ADMIN.password) =>
  new Gns3Client({ baseUrl: server.url, credentials: { username: ADMIN.username, password } });

beforeAll(async () => {
  server = await Gns3Server.start();
  projectId = await server.createProject('contract');
  groupId = await server.createGroup('class-of-26');
  studentId = await server.createUser('student');
  await server.addToGroup(groupId, studentId);
  const managerId = await server.createUser('manager');
  await server.allow(managerId, 'User manager', '/access/groups');
  [student, manager] = await Promise.all([server.logIn('student'), server.logIn('manager')]);
});

afterAll(() => server?.stop());

describe('the client of a real GNS3 server', () => {
  it('reads its version, and says so when the login is wrong', async () => {
    expect((await service().getVersion()).version).toMatch(/^3\./);
    await expect(service('wrong').currentUser()).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('knows whose token it has, and when it has been revoked', async () => {
    const token = await server.logIn('student');
    const client = withToken(token);
    await expect(client.currentUser()).resolves.toMatchObject({ user_id: studentId, is_superadmin: false });
    await server.logOut(token);
    await expect(client.currentUser()).rejects.toMatchObject({
      code: 'unauthorized',
      message: expect.stringContaining("Token has been revoked for 'student'"),
    });
    student = await server.logIn('student');
  });

  it("H1: the service's own login is renewed by itself when its tokens have been revoked", async () => {
    const client = service();
    await client.currentUser();
    await server.logOut(server.adminToken);
    const users = await Promise.all([client.currentUser(), client.currentUser(), client.currentUser()]);
    expect(users.map(({ username }) => username)).toEqual(['admin', 'admin', 'admin']);
    server.adminToken = await server.logIn(ADMIN.username, ADMIN.password);
  });

  it('tells a project that may not be read from one that does not exist', async () => {
    await expect(service().getProject(projectId)).resolves.toMatchObject({ status: 'opened' });
    await expect(withToken(student).getProject(projectId)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(service().getProject(randomUUID())).rejects.toMatchObject({ code: 'not_found' });
  });

  it('reads the groups of a user as one who may, and not as the user', async () => {
    const groups = await service().groupsOfUser(studentId);
    expect(groups).toContainEqual({ user_group_id: groupId, name: 'class-of-26' });
    await expect(withToken(student).groupsOfUser(studentId)).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('Group.Audit'),
    });
  });

  it('learns what may be done about a group, and changes nothing by asking', async () => {
    const before = await server.call('GET', `/access/groups/${groupId}`);
    for (const privilege of ['Group.Audit', 'Group.Modify'] as const) {
      await expect(service().assertGroupPrivilege(groupId, privilege)).resolves.toBeUndefined();
      await expect(withToken(manager).assertGroupPrivilege(groupId, privilege)).resolves.toBeUndefined();
      await expect(withToken(student).assertGroupPrivilege(groupId, privilege)).rejects.toMatchObject({
        code: 'forbidden',
      });
      await expect(service().assertGroupPrivilege(randomUUID(), privilege)).rejects.toMatchObject({
        code: 'not_found',
      });
    }
    expect(await server.call('GET', `/access/groups/${groupId}`)).toEqual(before);
  });

  it('reads nodes, links, templates and computes', async () => {
    const [pc1, pc2] = [await server.createPc(projectId, 'PC1'), await server.createPc(projectId, 'PC2')];
    const linkId = await server.link(projectId, pc1, pc2);
    const client = service();
    const nodes = await client.listNodes(projectId);
    expect(nodes).toHaveLength(2);
    expect(nodes.find(({ name }) => name === 'PC1')).toMatchObject({
      node_id: pc1,
      node_type: 'vpcs',
      status: 'stopped',
      console: expect.any(Number),
      console_type: 'telnet',
      ports: [{ name: 'Ethernet0', short_name: 'e0', adapter_number: 0, port_number: 0 }],
      tags: ['device_type:gns3_vpcs_telnet'],
    });
    await expect(client.getNode(projectId, pc2)).resolves.toMatchObject({ name: 'PC2' });
    expect(await client.listLinks(projectId)).toMatchObject([
      { link_id: linkId, nodes: [{ node_id: pc1, adapter_number: 0, port_number: 0 }, { node_id: pc2 }] },
    ]);
    expect((await client.listTemplates()).map(({ name }) => name)).toContain('VPCS');
    // The server's own compute is not among them.
    expect(await client.listComputes()).toEqual([]);
  });

  it('opens a project that was closed', async () => {
    const client = service();
    await server.closeProject(projectId);
    await expect(client.getProject(projectId)).resolves.toMatchObject({ status: 'closed' });
    await expect(client.openProject(projectId)).resolves.toMatchObject({ status: 'opened' });
  });
});
