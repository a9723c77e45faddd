import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** A request as a handler sees it: parameters of the path, query, and the body as text. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; undefined sends no body. */
  readonly json?: unknown;
  readonly text?: string;
}

/** A handler that streams takes the raw response and returns nothing. */
export type HttpHandler = (
  request: HttpRequest,
  response: ServerResponse,
) => Promise<HttpAnswer | undefined> | HttpAnswer | undefined;

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly handler: HttpHandler;
}

export class Routes {
  private readonly routes: Route[] = [];

  /** `/v3/projects/:projectId/nodes`; a parameter is one path segment. */
  on(method: string, path: string, handler: HttpHandler): this {
    const pattern = new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`);
    this.routes.push({ method, pattern, handler });
    return this;
  }

  find(method: string, path: string): { handler: HttpHandler; params: Record<string, string> } | undefined {
    for (const route of this.routes) {
      const match = route.method === method ? route.pattern.exec(path) : null;
      if (match) return { handler: route.handler, params: { ...match.groups } };
    }
    return undefined;
  }
}

/** Serves one handler for everything; listens on loopback addresses only by the caller's choice of host. */
export class HttpServer {
  private readonly server: Server;

  constructor(handler: HttpHandler, onError: (error: unknown) => void) {
    this.server = createServer((request, response) => {
      serve(handler, request, response).catch((error: unknown) => {
        onError(error);
        if (response.headersSent) response.destroy();
        else send(response, { status: 500, json: { message: 'Internal Server Error' } });
      });
    });
  }

  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, resolve);
    });
    const address = this.server.address();
    return typeof address === 'object' && address ? address.port : port;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }
}

async function serve(
  handler: HttpHandler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://demo.invalid');
  const body = await readBody(request);
  if (body === undefined) return send(response, { status: 413, json: { message: 'Request body too large' } });
  const answer = await handler(
    {
      method: request.method ?? 'GET',
      path: url.pathname,
      params: {},
      query: url.searchParams,
      headers: request.headers,
      body,
    },
    response,
  );
  if (answer) send(response, answer);
}

function send(response: ServerResponse, answer: HttpAnswer): void {
  const body = answer.text ?? (answer.json === undefined ? '' : JSON.stringify(answer.json));
  const type = answer.json === undefined ? {} : { 'content-type': 'application/json' };
  response.writeHead(answer.status, {
    ...type,
    'content-length': Buffer.byteLength(body),
    ...answer.headers,
  });
  response.end(body);
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** JSON of a body; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
