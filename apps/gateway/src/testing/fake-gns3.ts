import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';

/** A GNS3 server as far as the gateway asks one: the login and the projects. */
export class FakeGns3 {
  /** Status by project id; any other project does not exist. */
  readonly projects = new Map<string, string>();
  projectReads = 0;

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      request.resume();
      const [, projectId] = /^\/v3\/projects\/([^/]+)$/.exec(request.url ?? '') ?? [];
      if (request.url === '/v3/access/users/authenticate') {
        return answer(response, 200, { access_token: 'token', token_type: 'bearer' });
      }
      if (projectId === undefined) return answer(response, 404, { detail: 'Not Found' });
      this.projectReads += 1;
      const status = this.projects.get(projectId);
      if (status === undefined) return answer(response, 404, { message: 'no such project' });
      answer(response, 200, { project_id: projectId, name: 'lab', status });
    });
  }

  static async start(): Promise<FakeGns3> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeGns3(server);
  }

  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('a listening server has a port');
    return `http://127.0.0.1:${address.port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
