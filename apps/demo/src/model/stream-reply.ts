import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Reply } from './reply';

export interface StreamOptions {
  readonly model: string;
  readonly tokenMs: number;
  readonly firstMs: number;
  readonly includeUsage: boolean;
  /** How the stream is broken after its first chunks, if it is. */
  readonly breaks: 'reset' | 'error-frame' | 'stall' | undefined;
}

const CHUNKS_BEFORE_BREAK = 3;
const TEXT_PIECE = 6;
const ARGUMENTS_PIECE = 24;

/** Sends a reply as server-sent chunks at the pace of a model; stops when the client goes away. */
export async function streamReply(
  response: ServerResponse,
  reply: Reply,
  options: StreamOptions,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  response.flushHeaders();
  try {
    await delay(options.firstMs, undefined, { signal: gone.signal });
    let sent = 0;
    for (const chunk of chunks(reply, options)) {
      if (sent === CHUNKS_BEFORE_BREAK && options.breaks)
        return await breakStream(response, options.breaks, gone.signal);
      if (!response.write(`data: ${JSON.stringify(chunk)}\n\n`))
        await once(response, 'drain', { signal: gone.signal });
      sent += 1;
      if (options.tokenMs > 0) await delay(options.tokenMs, undefined, { signal: gone.signal });
    }
    response.end('data: [DONE]\n\n');
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
}

async function breakStream(
  response: ServerResponse,
  how: 'reset' | 'error-frame' | 'stall',
  gone: AbortSignal,
): Promise<void> {
  switch (how) {
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'error-frame':
      response.end(
        `data: ${JSON.stringify({ error: { message: 'The server had an error', type: 'server_error', param: null, code: null } })}\n\n`,
      );
      return;
    case 'stall':
      await new Promise<void>((resolve) => gone.addEventListener('abort', () => resolve(), { once: true }));
  }
}

/** Role first, then text, then each call (id and name, then its arguments in parts), the reason, the usage. */
export function* chunks(
  reply: Reply,
  { model, includeUsage }: Pick<StreamOptions, 'model' | 'includeUsage'>,
): Generator<object> {
  const created = Math.floor(Date.now() / 1000);
  const frame = (delta: object, finish: string | null = null): object => ({
    id: reply.id,
    object: 'chat.completion.chunk',
    created,
    model,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(includeUsage ? { usage: null } : {}),
  });
  yield frame({ role: 'assistant', content: reply.text === '' ? null : '' });
  for (const piece of pieces(reply.text, TEXT_PIECE)) yield frame({ content: piece });
  for (const [index, call] of reply.calls.entries()) {
    yield frame({
      tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }],
    });
    for (const piece of pieces(call.arguments, ARGUMENTS_PIECE)) {
      yield frame({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  yield frame({}, reply.finish);
  if (includeUsage) {
    yield { id: reply.id, object: 'chat.completion.chunk', created, model, choices: [], usage: reply.usage };
  }
}

/** Parts of about a size; a character outside the basic plane is never cut in two. */
function* pieces(text: string, size: number): Generator<string> {
  let piece = '';
  for (const character of text) {
    piece += character;
    if (piece.length >= size) {
      yield piece;
      piece = '';
    }
  }
  if (piece !== '') yield piece;
}
