import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'undici';
import { z } from 'zod';
import { findChromium } from '../../../scripts/lib/peers.mjs';
import { PeerProcess } from './peer-process';

const POLL_MS = 100;
const PATIENCE_MS = 30_000;
const SIZE = { width: 1_400, height: 900 };

const answerSchema = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});
const targetSchema = z.object({ targetId: z.string() });
const sessionSchema = z.object({ sessionId: z.string() });
const evaluatedSchema = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z.object({ exception: z.object({ description: z.string() }).optional() }).optional(),
});
const imageSchema = z.object({ data: z.string() });
const requestSchema = z.object({
  requestId: z.string(),
  request: z.object({ method: z.string(), url: z.string(), postData: z.string().optional() }),
});
const responseSchema = z.object({ requestId: z.string(), response: z.object({ status: z.number() }) });

/** A request of the page. */
export interface PageRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  status: number | undefined;
}

/** Debian's Chromium without a window, with one page; it is driven over its DevTools protocol. */
export class Browser {
  readonly requests: PageRequest[] = [];
  private readonly byId = new Map<string, PageRequest>();
  private readonly waiting = new Map<number, (answer: z.infer<typeof answerSchema>) => void>();
  private lastId = 0;
  private sessionId: string | undefined;

  private constructor(
    private readonly process: PeerProcess,
    private readonly socket: WebSocket,
    private readonly profile: string,
  ) {
    socket.addEventListener('message', ({ data }) => this.take(String(data)));
  }

  static async start(): Promise<Browser> {
    const { command, env } = await findChromium();
    const profile = await mkdtemp(join(tmpdir(), 'copilot-chromium-'));
    const flags = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
    // In a container, and as root, its own sandbox cannot be had; it only visits what the test has started.
    flags.push('--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--no-first-run');
    flags.push(`--window-size=${SIZE.width},${SIZE.height}`, 'about:blank');
    const process = new PeerProcess('chromium', command, flags, { env: { ...env, HOME: profile } });
    const [, url = ''] = await process.printed(/DevTools listening on (ws:\S+)/);
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', () => reject(new Error('no DevTools')));
    });
    const browser = new Browser(process, socket, profile);
    await browser.openPage();
    return browser;
  }

  async goTo(url: string): Promise<void> {
    await this.send('Page.navigate', { url });
  }

  /** The value of an expression in the page. */
  async evaluate(expression: string): Promise<unknown> {
    const answer = await this.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    const { result, exceptionDetails } = evaluatedSchema.parse(answer);
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description}`);
    return result.value;
  }

  /** Waits until an expression is truthy in the page. */
  async until(expression: string, timeoutMs = PATIENCE_MS): Promise<void> {
    const giveUpAt = Date.now() + timeoutMs;
    while (!(await this.evaluate(`!!(${expression})`).catch(() => false))) {
      if (Date.now() > giveUpAt) {
        const file = await this.screenshot('not-so');
        const text = String(await this.evaluate('document.body.innerText')).slice(0, 2_000);
        throw new Error(`not so in the page after ${timeoutMs} ms: ${expression}\n${file}\n${text}`);
      }
      await delay(POLL_MS);
    }
  }

  /** Clicks the first element of a selector that has the text. */
  async click(selector: string, text = ''): Promise<void> {
    const element = `[...document.querySelectorAll(${JSON.stringify(selector)})].find((e) => !e.disabled && e.textContent.includes(${JSON.stringify(text)}))`;
    await this.until(element);
    await this.evaluate(`${element}.click()`);
  }

  /** Types into the first element of a selector, in place of what it has. */
  async type(selector: string, text: string): Promise<void> {
    const element = `document.querySelector(${JSON.stringify(selector)})`;
    await this.until(element);
    await this.evaluate(`(() => { const e = ${element}; e.focus(); e.select(); })()`);
    await this.send('Input.insertText', { text });
  }

  async press(key: string, code: number, modifiers = 0): Promise<void> {
    const press = {
      key,
      code: key,
      windowsVirtualKeyCode: code,
      modifiers,
      text: key === 'Enter' ? '\r' : '',
    };
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', ...press });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...press });
  }

  /** Waits until a request of the page has been answered. */
  async answered(method: string, path: RegExp, from = 0): Promise<PageRequest> {
    const giveUpAt = Date.now() + PATIENCE_MS;
    for (;;) {
      const found = this.requests
        .slice(from)
        .find(
          (request) => request.method === method && path.test(request.path) && request.status !== undefined,
        );
      if (found) return found;
      if (Date.now() > giveUpAt) throw new Error(`the page has not asked for ${method} ${path.source}`);
      await delay(POLL_MS);
    }
  }

  /** Writes a picture of the page into the temp folder; resolves with its path. */
  async screenshot(name: string): Promise<string> {
    const { data } = imageSchema.parse(await this.send('Page.captureScreenshot', { format: 'png' }));
    const folder = join(tmpdir(), 'gns3-copilot-screenshots');
    await mkdir(folder, { recursive: true });
    const file = join(folder, `${name}.png`);
    await writeFile(file, Buffer.from(data, 'base64'));
    return file;
  }

  async stop(): Promise<void> {
    this.socket.close();
    await this.process.stop();
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  private async openPage(): Promise<void> {
    const { targetId } = targetSchema.parse(await this.send('Target.createTarget', { url: 'about:blank' }));
    const attached = await this.send('Target.attachToTarget', { targetId, flatten: true });
    this.sessionId = sessionSchema.parse(attached).sessionId;
    await this.send('Page.enable');
    await this.send('Network.enable');
    await this.send('Emulation.setDeviceMetricsOverride', { ...SIZE, deviceScaleFactor: 1, mobile: false });
  }

  private async send(method: string, params: object = {}): Promise<unknown> {
    this.lastId += 1;
    const id = this.lastId;
    const answered = new Promise<z.infer<typeof answerSchema>>((resolve) => this.waiting.set(id, resolve));
    this.socket.send(JSON.stringify({ id, method, params, sessionId: this.sessionId }));
    const { result, error } = await answered;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  private take(text: string): void {
    const message = answerSchema.parse(JSON.parse(text));
    if (message.id !== undefined) {
      this.waiting.get(message.id)?.(message);
      this.waiting.delete(message.id);
    }
    if (message.method === 'Network.requestWillBeSent') this.asked(message.params);
    if (message.method === 'Network.responseReceived') {
      const { requestId, response } = responseSchema.parse(message.params);
      const request = this.byId.get(requestId);
      if (request) request.status = response.status;
    }
  }

  private asked(params: unknown): void {
    const { requestId, request } = requestSchema.parse(params);
    if (!request.url.startsWith('http')) return;
    const { pathname } = new URL(request.url);
    const asked = { method: request.method, path: pathname, body: request.postData, status: undefined };
    this.byId.set(requestId, asked);
    this.requests.push(asked);
  }
}
