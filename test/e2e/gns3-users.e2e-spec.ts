import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { collect, ofType, openStream, textOf } from './support/sse-client';
import { post, Stack } from './support/stack';

let stack: Stack;
let student: string;
let admin: string;

beforeAll(async () => {
  // The service's own login cannot log in here: whatever is done in the lab, the callers' tokens do it.
  stack = await Stack.start({
    env: { AUTH_MODE: 'gns3', GNS3_PASSWORD: 'not the password' },
    withoutModelConfig: true,
  });
  student = await logIn('student');
  admin = await logIn('admin');
});

afterAll(() => stack.stop());

async function logIn(username: string): Promise<string> {
  const response = await fetch(
    `${stack.lab.gns3Url}/v3/access/users/authenticate`,
    post({ username, password: username }),
  );
  return z.object({ access_token: z.string() }).parse(await response.json()).access_token;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function configure(token: string): Promise<void> {
  const me = await fetch(`${stack.lab.gns3Url}/v3/access/users/me`, { headers: bearer(token) });
  const { user_id } = z.object({ user_id: z.string() }).parse(await me.json());
  const config = {
    name: 'e2e',
    model_type: 'text',
    is_default: true,
    provider: 'openai',
    api_key: stack.apiKey,
    base_url: stack.model.baseUrl,
    model: 'scripted',
    context_limit: 128,
    copilot_mode: 'lab_automation_assistant',
  };
  const response = await fetch(
    stack.url(`/v3/access/users/${user_id}/llm-model-configs`),
    post(config, bearer(token)),
  );
  expect(response.status).toBe(201);
}

describe('with the users of the GNS3 server', () => {
  it('a message works on the lab with the token of whoever sent it, and leaves none behind', async () => {
    await configure(student);
    stack.model.play([
      {
        text: 'Let me look.',
        calls: [
          {
            name: 'execute_multiple_device_commands',
            args: { device_configs: [{ device_name: 'R1', commands: ['show version'] }] },
          },
        ],
      },
      { text: 'It is there.' },
    ]);
    const stream = await openStream(
      stack.chatUrl('/stream'),
      post({ message: 'what is R1?', session_id: 'hers' }, bearer(student)),
    );
    const frames = await collect(stream.frames);
    expect(textOf(frames)).toContain('It is there.');
    expect(ofType(frames, 'tool_end')[0]?.tool_output).toContain('R1#show version');
    expect(JSON.stringify(frames)).not.toContain(student);
    expect(stack.logs()).not.toContain(student);
  });

  it("another user's session is empty to the administrator, too", async () => {
    const history = await fetch(stack.chatUrl('/sessions/hers/history'), { headers: bearer(admin) });
    expect(await history.json()).toMatchObject({ messages: [] });
    const mine = await fetch(stack.chatUrl('/sessions/hers/history'), { headers: bearer(student) });
    expect(((await mine.json()) as { messages: unknown[] }).messages).toHaveLength(4);
  });

  it('a project that the server does not show a user is closed to that user', async () => {
    const archive = '22222222-2222-4222-8222-222222222222';
    const response = await fetch(stack.chatUrl('/sessions', { projectId: archive }), {
      headers: bearer(student),
    });
    expect([response.status, await response.json()]).toEqual([
      403,
      { message: 'Permission denied (privilege Project.Audit is required)' },
    ]);
  });

  it('nobody gets in without a token', async () => {
    const response = await fetch(stack.chatUrl('/stream'), post({ message: 'hello' }));
    expect([response.status, await response.json()]).toEqual([401, { message: 'Not authenticated' }]);
  });
});
