import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { Gns3Client, type Gns3ClientOptions } from './gns3-client';
import { Gns3Error } from './gns3-error';
import { readTopology } from './topology';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function withServer(
  handler: Handler,
  test: (client: Gns3Client, seen: string[]) => Promise<void>,
  options: Partial<Gns3ClientOptions> = {},
): Promise<void> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    handler(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  try {
    const client = new Gns3Client({
      baseUrl: `http://127.0.0.1:${port}/`,
      credentials: { username: 'admin', password: 'pa55' },
      timeoutMs: 2_000,
      ...options,
    });
    await test(client, seen);
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const LOGIN = 'POST /v3/access/users/authenticate';

/** A server whose tokens are numbered by login; only the newest of at least `valid` is accepted. */
function tokens(valid: () => number, answer: Handler): Handler {
  let logins = 0;
  return (request, response) => {
    if (request.url === '/v3/access/users/authenticate') {
      logins += 1;
      json(response, { access_token: `token-${logins}`, token_type: 'bearer' });
    } else if (Number(request.headers.authorization?.split('-')[1]) < valid()) {
      json(response, { message: 'Could not validate credentials' }, 401);
    } else answer(request, response);
  };
}

describe('GNS3 client', () => {
  it('H1: renews an expired token once for five calls at once and repeats each once', async () => {
    let valid = 1;
    const server = tokens(
      () => valid,
      (_request, response) => json(response, []),
    );
    await withServer(server, async (client, seen) => {
      await client.listNodes('p1');
      valid = 2;
      seen.length = 0;
      const calls = Array.from({ length: 5 }, () => client.listNodes('p1'));
      await expect(Promise.all(calls)).resolves.toEqual([[], [], [], [], []]);
      expect(seen.filter((line) => line === LOGIN)).toHaveLength(1);
      expect(seen.filter((line) => line !== LOGIN)).toHaveLength(10);
    });
  });

  it('H1: ends with a clear error, and no loop, where the password is wrong', async () => {
    const refuse: Handler = (_request, response) =>
      json(response, { message: 'Authentication was unsuccessful.' }, 401);
    await withServer(refuse, async (client, seen) => {
      const errors = await Promise.allSettled(Array.from({ length: 5 }, () => client.listNodes('p1')));
      for (const error of errors) {
        expect(error).toMatchObject({
          reason: { code: 'unauthorized', message: expect.stringContaining("user 'admin'") },
        });
        expect(JSON.stringify(error)).not.toContain('pa55');
      }
      expect(seen).toEqual([LOGIN]);
    });
  });

  it('H1: ends with the error of the second answer where a new token is refused too', async () => {
    await withServer(
      tokens(
        () => Infinity,
        (_request, response) => json(response, []),
      ),
      async (client, seen) => {
        await expect(client.getVersion()).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
        expect(seen).toHaveLength(4);
      },
    );
  });

  it("uses a caller's own token as it is and never logs in for it", async () => {
    const expired: Handler = (_request, response) =>
      json(response, { message: 'Token has been revoked' }, 401);
    await withServer(
      expired,
      async (client, seen) => {
        await expect(client.currentUser()).rejects.toMatchObject({
          code: 'unauthorized',
          message: expect.stringContaining('Token has been revoked'),
        });
        expect(seen).toEqual(['GET /v3/access/users/me']);
      },
      { credentials: { token: 'secret-token' } },
    );
  });

  it.each([
    [409, '{"message":"Project is not opened","code":409}', 'conflict', 'Project is not opened'],
    [
      422,
      '{"detail":[{"loc":["path","project_id"],"msg":"bad id"}]}',
      'bad_response',
      'path.project_id: bad id',
    ],
    [502, '<html><title>502 Bad Gateway</title></html>', 'unreachable', '502 Bad Gateway'],
    [500, '', 'bad_response', 'HTTP 500 without a reason'],
    [200, '<html>login page</html>', 'bad_response', 'Is it a v3 server?'],
    [200, '[{"name":"R1"}]', 'bad_response', '0.node_id'],
  ])('H9: gives a readable reason for HTTP %s with the body %s', async (status, body, code, reason) => {
    const answer: Handler = (_request, response) => response.writeHead(status).end(body);
    await withServer(
      answer,
      async (client) => {
        const error = await client.listNodes('p1').catch((caught: unknown) => caught);
        expect(error).toBeInstanceOf(Gns3Error);
        expect(error).toMatchObject({ code, message: expect.stringContaining(reason) });
      },
      { credentials: { token: 't' } },
    );
  });

  it('H7: ends within its time limit where no answer comes', async () => {
    await withServer(
      () => undefined,
      async (client) => {
        await expect(client.listNodes('p1')).rejects.toMatchObject({ code: 'timeout' });
      },
      { credentials: { token: 't' }, timeoutMs: 100 },
    );
  });

  it('ends with the reason of the abort where the caller gives up', async () => {
    const abort = new AbortController();
    await withServer(
      () => abort.abort(new Error('cancelled')),
      async (client) => {
        await expect(client.listNodes('p1', abort.signal)).rejects.toThrow('cancelled');
      },
    );
  });

  it('names no address where the server is away', async () => {
    const client = new Gns3Client({ baseUrl: 'http://127.0.0.1:1', credentials: { token: 't' } });
    const error = await client.getVersion().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'unreachable', message: expect.not.stringContaining('127.0.0.1') });
  });

  it('opens a project', async () => {
    const answer: Handler = (_request, response) =>
      json(response, { project_id: 'p1', name: 'demo', status: 'opened' }, 201);
    await withServer(
      answer,
      async (client, seen) => {
        await expect(client.openProject('p1')).resolves.toMatchObject({ status: 'opened' });
        expect(seen).toEqual(['POST /v3/projects/p1/open']);
      },
      { credentials: { token: 't' } },
    );
  });
});

describe('topology', () => {
  const port = (name: string, port_number: number) => ({
    name,
    short_name: name,
    adapter_number: 0,
    port_number,
  });
  const node = (id: string, name: string) => ({
    ...{ node_id: id, name, node_type: 'qemu', status: 'started', console: 5000, console_type: 'telnet' },
    ...{
      console_host: '0.0.0.0',
      compute_id: 'local',
      x: 1,
      y: 2,
      symbol: '<svg/>',
      tags: ['device_type:cisco_ios_telnet'],
    },
    ports: [port('Gi0/0', 0), port('Gi0/1', 1)],
  });
  const end = (node_id: string, port_number: number) => ({ node_id, adapter_number: 0, port_number });

  it('joins nodes, ports and links, sorted, without what only a drawing needs', async () => {
    const answers: Record<string, unknown> = {
      '/v3/projects/p1': { project_id: 'p1', name: 'demo', status: 'opened' },
      '/v3/projects/p1/nodes': [node('n10', 'R10'), node('n2', 'R2')],
      '/v3/projects/p1/links': [
        { link_id: 'l1', nodes: [end('n10', 1), end('n2', 0)] },
        { link_id: 'l2', nodes: [end('n2', 1)] },
      ],
    };
    const answer: Handler = (request, response) => json(response, answers[request.url ?? '']);
    await withServer(
      answer,
      async (client) => {
        const topology = await readTopology(client, 'p1');
        expect(topology.nodes.map(({ name }) => name)).toEqual(['R2', 'R10']);
        expect(topology.nodes[0]).toEqual({
          ...{
            name: 'R2',
            node_id: 'n2',
            type: 'qemu',
            status: 'started',
            console: 5000,
            console_host: '127.0.0.1',
          },
          ...{
            console_type: 'telnet',
            device_type: 'cisco_ios_telnet',
            tags: ['device_type:cisco_ios_telnet'],
          },
          ports: [
            { name: 'Gi0/0', short_name: 'Gi0/0', link: 'l1' },
            { name: 'Gi0/1', short_name: 'Gi0/1', link: 'l2' },
          ],
        });
        expect(topology.links).toEqual([
          {
            link_id: 'l1',
            node_a: 'R2',
            node_a_id: 'n2',
            port_a: 'Gi0/0',
            node_b: 'R10',
            node_b_id: 'n10',
            port_b: 'Gi0/1',
          },
        ]);
      },
      { credentials: { token: 't' } },
    );
  });
});
