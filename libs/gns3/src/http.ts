import type { ReadableStream } from 'node:stream/web';
import { Gns3Error, errorFromFailure } from './gns3-error';

/** A large lab's node list is a few megabytes; anything far beyond is not an answer of this API. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT';
  url: string;
  /** Completes "GNS3 could not ..." in error messages. */
  action: string;
  token?: string;
  body?: unknown;
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface HttpAnswer {
  status: number;
  text: string;
}

/**
 * One HTTP exchange, bounded in time and size. Throws `Gns3Error` when there is no answer, and the
 * caller's own abort reason when the caller gave up; a status of any kind is an answer.
 */
export async function exchange(request: HttpRequest): Promise<HttpAnswer> {
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const signal = request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout]);
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: {
        accept: 'application/json',
        ...(request.token === undefined ? {} : { authorization: `Bearer ${request.token}` }),
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
      signal,
    });
    return { status: response.status, text: await readBody(response, request.action) };
  } catch (error) {
    request.signal?.throwIfAborted();
    if (error instanceof Gns3Error) throw error;
    if (timeout.aborted) throw timeoutError(request);
    throw errorFromFailure(request.action, error);
  }
}

function timeoutError({ action, timeoutMs }: HttpRequest): Gns3Error {
  return new Gns3Error(
    'timeout',
    `The GNS3 server did not answer within ${timeoutMs / 1000} s while trying to ${action}. It, or the compute that runs the nodes, may be overloaded or unreachable.`,
  );
}

async function readBody(response: Response, action: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  const body: ReadableStream<Uint8Array> | null = response.body;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) {
      throw new Gns3Error(
        'bad_response',
        `GNS3 sent more than ${MAX_BODY_BYTES} bytes when asked to ${action}.`,
      );
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
