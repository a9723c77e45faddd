import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collect, ofType, openStream, textOf } from '../e2e/support/sse-client';
import { post, Stack } from '../e2e/support/stack';
import { ADMIN, Gns3Server } from '../peers/support/gns3-server';

/** The gateway honours a revoked token for 15 s; the promise is 30. */
const REVOKED_WITHIN_MS = 30_000;

let server: Gns3Server;
let stack: Stack;
let projectId: string;
let hidden: string;
let groupId: string;
let studentId: string;
let student: string;

beforeAll(async () => {
  server = await Gns3Server.start();
  [projectId, hidden] = [await server.createProject('class'), await server.createProject('hidden')];
  const pcs = [await server.createPc(projectId, 'PC1'), await server.createPc(projectId, 'PC2')];
  await server.link(projectId, ...pcs);
  studentId = await server.createUser('student');
  groupId = await server.createGroup('class-of-26');
  await server.addToGroup(groupId, studentId);
  await server.allow(studentId, 'User', `/projects/${projectId}`);
  student = await server.logIn('student');
  stack = await Stack.start({
    withoutModelConfig: true,
    env: {
      AUTH_MODE: 'gns3',
      GNS3_URL: server.url,
      GNS3_USERNAME: ADMIN.username,
      GNS3_PASSWORD: ADMIN.password,
    },
  });
});

afterAll(async () => {
  await stack?.stop();
  await server?.stop();
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const configs = (owner: string) => stack.url(`/v3/access/${owner}/llm-model-configs`);

async function sessions(token: string | undefined, project = projectId) {
  const headers = token === undefined ? {} : bearer(token);
  const response = await fetch(stack.chatUrl('/sessions', { projectId: project }), { headers });
  return { status: response.status, body: await response.json() };
}

const config = () => ({
  name: 'of the class',
  model_type: 'text',
  is_default: true,
  provider: 'openai',
  api_key: stack.apiKey,
  base_url: stack.model.baseUrl,
  model: 'scripted',
  context_limit: 128,
  copilot_mode: 'lab_automation_assistant',
});

describe('with the users of a real GNS3 server', () => {
  it('lets nobody in without a good token', async () => {
    expect(await sessions(undefined)).toEqual({ status: 401, body: { message: 'Not authenticated' } });
    expect(await sessions('not.a.token')).toMatchObject({ status: 401 });
    expect(await sessions(student)).toEqual({ status: 200, body: [] });
  });

  it('lets a user at the projects that the server lets the user at', async () => {
    expect(await sessions(student, hidden)).toEqual({
      status: 403,
      body: { message: 'Permission denied (privilege Project.Audit is required)' },
    });
    expect(await sessions(server.adminToken, hidden)).toMatchObject({ status: 200 });
  });

  it('lets whoever may change a group give it a model, with which its members chat', async () => {
    const refused = await fetch(configs(`groups/${groupId}`), post(config(), bearer(student)));
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { message: 'Permission denied (privilege Group.Modify is required)' },
    ]);
    const made = await fetch(configs(`groups/${groupId}`), post(config(), bearer(server.adminToken)));
    expect(made.status).toBe(201);
    const inherited = await fetch(configs(`users/${studentId}`), { headers: bearer(student) });
    expect(await inherited.json()).toMatchObject({
      total: 1,
      default_config: { source: 'group', group_name: 'class-of-26' },
    });
  });

  it("answers with the lab's real topology, read with the caller's own token", async () => {
    stack.model.play([
      { calls: [{ name: 'gns3_topology_reader', args: { project_id: projectId } }] },
      { text: 'Two PCs, linked.' },
    ]);
    const url = stack.chatUrl('/stream', { projectId });
    const frames = await collect(
      (await openStream(url, post({ message: 'what is there?' }, bearer(student)))).frames,
    );
    const output = String(ofType(frames, 'tool_end')[0]?.tool_output);
    for (const words of ['PC1', 'PC2', 'Ethernet0']) expect(output).toContain(words);
    expect(textOf(frames)).toContain('Two PCs, linked.');
    expect(ofType(frames, 'done')).toHaveLength(1);
    expect(await sessions(student)).toMatchObject({ body: [{ user_id: studentId, project_id: projectId }] });
  });

  it('refuses a project that is closed until it is opened', async () => {
    await server.closeProject(projectId);
    await until(async () => (await sessions(student)).status === 403);
    expect((await sessions(student)).body).toEqual({
      message: 'Project must be opened to access chat sessions. Current status: closed',
    });
    await server.openProject(projectId);
    await until(async () => (await sessions(student)).status === 200);
  });

  it('refuses a token that the server has revoked, within 30 s', async () => {
    await server.logOut(student);
    await until(async () => (await sessions(student)).status === 401);
    expect((await sessions(student)).body).toEqual({ message: "Token has been revoked for 'student'" });
  });
});

/** Answers of the server are remembered for some seconds. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + REVOKED_WITHIN_MS;
  while (!(await isSo())) {
    if (Date.now() > giveUpAt) throw new Error(`not so after ${REVOKED_WITHIN_MS} ms`);
    await delay(200);
  }
}
