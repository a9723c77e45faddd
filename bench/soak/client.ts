import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { FrameCutter, type RawFrame } from './frames';

/** A connection for each request, as a page that is opened anew has one. */
const agent = new Agent({ keepAlive: false, maxSockets: Infinity });

/** A stream that is not open by then is given up. */
const CONNECT_LIMIT_MS = 30_000;

/** How a connection came to its end; `left` is our own doing. */
export type StreamEnd = 'ended' | 'left' | `failed: ${string}`;

export interface StreamOptions {
  readonly after?: string | undefined;
  /** The connection is dropped when its stream has been open for this long. */
  readonly stayMs: number;
  readonly onOpen?: () => void;
}

/** Reads an event stream until it ends or the time is over. Never rejects. */
export function readStream(
  url: string,
  { after, stayMs, onOpen }: StreamOptions,
  onFrame: (frame: RawFrame) => void,
): Promise<StreamEnd> {
  return new Promise((resolve) => {
    let end: StreamEnd = 'failed: the connection was cut';
    const frames = new FrameCutter();
    const headers = after === undefined ? {} : { 'last-event-id': after };
    const request = httpRequest(url, { agent, headers }, (response: IncomingMessage) => {
      if (response.statusCode !== 200) {
        end = `failed: status ${response.statusCode}`;
        response.resume();
        return;
      }
      onOpen?.();
      clearTimeout(timer);
      timer = setTimeout(leave, stayMs);
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        if (end !== 'left') for (const frame of frames.take(text)) onFrame(frame);
      });
      response.on('end', () => (end = 'ended'));
      response.on('error', () => undefined);
    });
    const leave = () => {
      end = 'left';
      request.destroy();
    };
    let timer = setTimeout(
      () => request.destroy(new Error(`not open after ${CONNECT_LIMIT_MS} ms`)),
      CONNECT_LIMIT_MS,
    );
    request.on('error', (error) => {
      if (end !== 'left') end = `failed: ${error.message}`;
    });
    request.on('close', () => {
      clearTimeout(timer);
      resolve(end);
    });
    request.end();
  });
}

/** Sends a message and gives the id of its run; rejects with the answer when it is refused. */
export async function startRun(chatUrl: string, message: string, sessionId: string): Promise<string> {
  const { status, text } = await postJson(`${chatUrl}/runs`, { message, session_id: sessionId });
  const body: unknown = status === 202 ? JSON.parse(text) : undefined;
  if (typeof body !== 'object' || body === null || !('run_id' in body)) {
    throw new Error(`a message was refused: ${status} ${text}`);
  }
  return String(body.run_id);
}

function postJson(url: string, body: unknown): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const request = httpRequest(url, { agent, method: 'POST', headers }, (response) => {
      readText(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject);
    });
    request.on('error', reject);
    request.end(JSON.stringify(body));
  });
}
