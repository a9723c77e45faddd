import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { post, Stack } from '../e2e/support/stack';
import { Browser } from './support/browser';
import { ADMIN, Gns3Server } from './support/gns3-server';
import { Nginx } from './support/nginx';

const INPUT = '.gns3-chat-input-area__textarea';
const SEND = '.gns3-chat-input-area__send-button';
const SESSION = '.gns3-chat-session-list__session';
const MENU_ITEM = '.mat-mdc-menu-item';
/** A page that was left with its chat open asks for the project `undefined` first, before it has read its own. */
const OURS = /^\/v3\/(copilot\/projects\/(?!undefined\/)|access\/[^/]+\/[^/]+\/llm-model-configs)/;

let server: Gns3Server;
let stack: Stack;
let nginx: Nginx;
let browser: Browser;
let projectId: string;

beforeAll(async () => {
  server = await Gns3Server.start();
  projectId = await server.createProject('web-ui');
  await server.createPc(projectId, 'PC1');
  stack = await Stack.start({
    withoutModelConfig: true,
    env: {
      AUTH_MODE: 'gns3',
      GNS3_URL: server.url,
      GNS3_USERNAME: ADMIN.username,
      GNS3_PASSWORD: ADMIN.password,
    },
  });
  const gatewayPort = Number(new URL(stack.url('/')).port);
  nginx = await Nginx.start({ gatewayPort, gns3Port: server.port });
  await configureModel();
  browser = await Browser.start();
}, 240_000);

afterAll(async () => {
  await browser?.stop();
  await nginx?.stop();
  await stack?.stop();
  await server?.stop();
});

async function configureModel(): Promise<void> {
  const me = (await server.call('GET', '/access/users/me')) as { user_id: string };
  const config = {
    name: 'scripted',
    model_type: 'text',
    is_default: true,
    provider: 'openai',
    api_key: stack.apiKey,
    base_url: stack.model.baseUrl,
    model: 'scripted-model',
    context_limit: 128,
    copilot_mode: 'lab_automation_assistant',
  };
  const url = `${nginx.origin}/v3/access/users/${me.user_id}/llm-model-configs`;
  const response = await fetch(url, post(config, { authorization: `Bearer ${server.adminToken}` }));
  expect(response.status).toBe(201);
}

const text = (words: string) => `document.body.innerText.includes(${JSON.stringify(words)})`;

async function say(message: string): Promise<void> {
  await browser.type(INPUT, message);
  await browser.click(SEND);
}

async function sessionMenu(item: string): Promise<void> {
  await browser.click('.gns3-chat-session-list__menu-button');
  await browser.click(MENU_ITEM, item);
}

describe("the GNS3 server's own web UI, unchanged, in a browser", () => {
  it('logs in through nginx and opens the chat of a project', async () => {
    await browser.goTo(`${nginx.origin}/`);
    await browser.type('input[formcontrolname=username]', ADMIN.username);
    await browser.type('input[formcontrolname=password]', ADMIN.password);
    await browser.click('.login-card__submit-button');
    await browser.answered('POST', /^\/v3\/access\/users\/login$/);
    await browser.until("location.pathname.includes('/projects')");
    const controller = await browser.evaluate('location.pathname.match(/controller\\/(\\d+)/)[1]');
    await browser.goTo(`${nginx.origin}/static/web-ui/controller/${String(controller)}/project/${projectId}`);
    await browser.until(text('PC1'));
    await browser.click('.ai-chat-button');
    expect((await browser.answered('GET', /\/chat\/sessions$/)).status).toBe(200);
    expect((await browser.answered('GET', /\/llm-model-configs$/)).status).toBe(200);
    await browser.until(text('Scripted Model'));
  });

  it('shows what the model says and the tools that it uses, as they come', async () => {
    stack.model.play([
      { text: 'Let me look.', calls: [{ name: 'gns3_topology_reader', args: { project_id: projectId } }] },
      { text: ['There is ', 'one PC.'] },
    ]);
    await say('what is in the lab?');
    await browser.until(text('There is one PC.'));
    await browser.until(text('gns3_topology_reader'));
    await browser.until(text('Scripted title'));
    await browser.screenshot('answer');
    const sent = JSON.parse((await browser.answered('POST', /\/chat\/stream$/)).body ?? '') as object;
    expect(sent).toMatchObject({
      message: 'what is in the lab?',
      stream: true,
      session_id: expect.any(String),
    });
  });

  it('stops an answer', async () => {
    const words = Array.from({ length: 60 }, (_, n) => `word${n} `);
    stack.model.play([{ text: words, pieceDelayMs: 200 }]);
    await say('talk');
    await browser.until(text('word5 '));
    await browser.click(SEND);
    expect((await browser.answered('POST', /\/abort$/)).status).toBe(200);
    await browser.until(`!document.querySelector(${JSON.stringify(INPUT)}).disabled`);
    expect(await browser.evaluate(text('word59'))).toBe(false);
    await browser.screenshot('stopped');
  });

  it('shows the conversation again when the page is opened anew', async () => {
    await browser.goTo(`${nginx.origin}${String(await browser.evaluate('location.pathname'))}`);
    await browser.until(`!${text('There is one PC.')} && ${text('PC1')}`);
    await browser.click('.ai-chat-button');
    await browser.click('.gns3-ai-chat__sidebar-title');
    await browser.click(SESSION, 'Scripted title');
    expect((await browser.answered('GET', /\/history$/)).status).toBe(200);
    for (const words of ['what is in the lab?', 'gns3_topology_reader', 'There is one PC.', 'word5']) {
      await browser.until(text(words));
    }
    await browser.screenshot('history');
  });

  it('renames, pins and deletes the session', async () => {
    await sessionMenu('Rename');
    await browser.type('.gns3-chat-session-list__edit-field input', 'My own name');
    await browser.press('Enter', 13);
    expect((await browser.answered('PATCH', /\/sessions\/[^/]+$/)).status).toBe(200);
    await browser.until(text('My own name'));
    await sessionMenu('Pin');
    expect((await browser.answered('PUT', /\/pin$/)).status).toBe(200);
    await browser.until("document.querySelector('.gns3-chat-session-list__pin-icon')");
    await browser.screenshot('pinned');
    await sessionMenu('Unpin');
    expect((await browser.answered('DELETE', /\/pin$/)).status).toBe(200);
    await browser.until("!document.querySelector('.gns3-chat-session-list__pin-icon')");
    await sessionMenu('Delete');
    await browser.click('mat-dialog-container button', 'Delete');
    expect((await browser.answered('DELETE', /\/sessions\/[^/]+$/)).status).toBe(204);
    await browser.until(`!document.querySelector(${JSON.stringify(SESSION)})`);
  });

  it('had no answer of ours that was an error', () => {
    const ours = browser.requests.filter(({ path }) => OURS.test(path));
    expect(ours.length).toBeGreaterThan(8);
    expect(ours.filter(({ status }) => status !== undefined && status >= 400)).toEqual([]);
  });
});
