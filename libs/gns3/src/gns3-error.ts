import { z } from 'zod';

/** What went wrong with a call to the GNS3 server; `retryable` failures may pass by themselves. */
export type Gns3ErrorCode =
  'unreachable' | 'timeout' | 'unauthorized' | 'forbidden' | 'not_found' | 'conflict' | 'bad_response';

/**
 * A failed call to the GNS3 server. The message is meant to be read by a person or a model: it has the
 * server's own reason, and never an address, a token or a password.
 */
export class Gns3Error extends Error {
  override readonly name = 'Gns3Error';
  readonly reason: string | undefined;

  constructor(
    readonly code: Gns3ErrorCode,
    message: string,
    /** HTTP status, where there was an answer at all. */
    readonly status?: number,
    options?: ErrorOptions & {
      /** The server's own words alone, where it gave some. */
      readonly reason?: string;
    },
  ) {
    super(message, options);
    this.reason = options?.reason;
  }

  get retryable(): boolean {
    return this.code === 'unreachable' || this.code === 'timeout';
  }
}

/** Longest reason that is passed on; a proxy's error page may be of any size. */
const MAX_REASON_CHARS = 500;

/** The error bodies that server versions and the proxies before them are known to send. */
const errorBodySchema = z.union([
  z.object({ message: z.string().min(1) }),
  z.object({ detail: z.string().min(1) }),
  z.object({
    detail: z
      .array(z.object({ msg: z.string(), loc: z.array(z.union([z.string(), z.number()])).default([]) }))
      .min(1),
  }),
]);

/** A readable reason from an error answer, whatever its shape. */
export function reasonFromBody(status: number, body: string): string {
  const reason = structuredReason(body) ?? plainReason(body) ?? `HTTP ${status} without a reason`;
  return reason.length > MAX_REASON_CHARS ? `${reason.slice(0, MAX_REASON_CHARS)}...` : reason;
}

function structuredReason(body: string): string | undefined {
  const parsed = errorBodySchema.safeParse(parseJson(body));
  if (!parsed.success) return undefined;
  if ('message' in parsed.data) return parsed.data.message;
  const { detail } = parsed.data;
  if (typeof detail === 'string') return detail;
  return detail.map(({ loc, msg }) => (loc.length > 0 ? `${loc.join('.')}: ${msg}` : msg)).join('; ');
}

/** An HTML page is reduced to its title or first words, other text to one line. */
function plainReason(body: string): string | undefined {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(body)?.[1];
  const text = (title ?? body.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ').trim();
  return text === '' || text === 'null' || text === '{}' ? undefined : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error for an answer whose status says failure. `action` names the call, e.g. "read the nodes". */
export function errorFromResponse(action: string, status: number, body: string): Gns3Error {
  const reason = reasonFromBody(status, body);
  return new Gns3Error(codeOfStatus(status), `GNS3 could not ${action} (HTTP ${status}): ${reason}`, status, {
    reason,
  });
}

function codeOfStatus(status: number): Gns3ErrorCode {
  switch (status) {
    case 401:
      return 'unauthorized';
    case 403:
      return 'forbidden';
    case 404:
      return 'not_found';
    case 409:
      return 'conflict';
    case 502:
    case 503:
    case 504:
      return 'unreachable';
    default:
      return 'bad_response';
  }
}

const CONNECT_REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'its name does not resolve',
  EAI_AGAIN: 'its name does not resolve',
  EHOSTUNREACH: 'no route to it',
  ENETUNREACH: 'no route to it',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
  UND_ERR_SOCKET: 'connection closed',
};

/** The error for a call that got no answer. The cause is kept for logs; the message names no address. */
export function errorFromFailure(action: string, failure: unknown): Gns3Error {
  const code = networkCode(failure);
  const reason = code === undefined ? 'network error' : (CONNECT_REASONS[code] ?? code);
  return new Gns3Error(
    'unreachable',
    `Failed to connect to GNS3 server (${reason}) while trying to ${action}. Please check your configuration.`,
    undefined,
    { cause: failure },
  );
}

const networkFailureSchema = z.object({ code: z.string() });

function networkCode(failure: unknown): string | undefined {
  for (let error = failure, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth += 1) {
    const parsed = networkFailureSchema.safeParse(error);
    if (parsed.success) return parsed.data.code;
  }
  return undefined;
}
