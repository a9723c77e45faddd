import { expect } from '@jest/globals';
import type { Stack } from '../../e2e/support/stack';

/** Both spellings of the paths under which a project's chat is served. */
export const CHAT_SPELLINGS: readonly [string, string][] = [
  ['of the web UI', '/v3/copilot/projects'],
  ['of the design documents', '/v3/projects'],
];
/** And those of a user's model configs. */
export const CONFIG_SPELLINGS: readonly [string, string][] = [
  ['of the web UI', '/v3/access/users'],
  ['of the design documents', '/v3/users'],
];

/** UTC with microseconds and without a zone. */
export const NAIVE_UTC = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
export const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Without a body, with a `content-length` of 0 and no content type, if `body` is left out. */
export function request(method: string, body?: unknown): RequestInit {
  if (body === undefined) return { method };
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

export interface Answer {
  readonly status: number;
  /** Undefined where there is none. */
  readonly body: unknown;
}

/** Sends a request whose answer is one JSON, or none. */
export async function call(method: string, url: string, body?: unknown): Promise<Answer> {
  const response = await fetch(url, request(method, body));
  const text = await response.text();
  if (text === '') return { status: response.status, body: undefined };
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return { status: response.status, body: JSON.parse(text) as unknown };
}

/** A project's chat under one spelling, as the web UI uses it. */
export class WireChat {
  readonly base: string;

  constructor(
    private readonly stack: Stack,
    prefix: string,
    projectId = stack.lab.projectId,
  ) {
    this.base = stack.url(`${prefix}/${projectId}/chat`);
  }

  call(method: string, path: string, body?: unknown): Promise<Answer> {
    return call(method, this.base + path, body);
  }

  session(method: string, sessionId: string, rest = '', body?: unknown): Promise<Answer> {
    return this.call(method, `/sessions/${encodeURIComponent(sessionId)}${rest}`, body);
  }

  /** The body that the web UI sends; `more` comes on top. */
  open(message: string, session_id: string, more: Record<string, unknown> = {}): Promise<Response> {
    return fetch(`${this.base}/stream`, request('POST', { message, session_id, stream: true, ...more }));
  }

  /** A message whose answer does not matter. */
  async say(session_id: string, message = 'hello'): Promise<void> {
    await (await this.open(message, session_id)).text();
  }

  async sessions(query = ''): Promise<readonly Record<string, unknown>[]> {
    const { status, body } = await this.call('GET', `/sessions${query}`);
    expect(status).toBe(200);
    return body as Record<string, unknown>[];
  }

  async history(sessionId: string, query = ''): Promise<readonly Record<string, unknown>[]> {
    const { body } = await this.session('GET', sessionId, `/history${query}`);
    return (body as { messages: Record<string, unknown>[] }).messages;
  }

  /** Whether the stack's model was asked with these words as the newest message. */
  get lastAsked(): unknown {
    return this.stack.model.requests.at(-1)?.messages.at(-1)?.content;
  }
}
