import { z } from 'zod';
import type { Demo } from '../demo';
import { ConsoleClient } from './console-client';

const tokenAnswer = z.object({ access_token: z.string() });
const nodeList = z.array(z.object({ name: z.string(), node_id: z.string(), console: z.number().nullable() }));

/** Talks to a running demo as a client of GNS3 would. */
export class DemoClient {
  private constructor(
    readonly demo: Demo,
    private readonly token: string,
  ) {}

  static async login(demo: Demo, username = 'admin', password = username): Promise<DemoClient> {
    const response = await fetch(`${demo.gns3Url}/v3/access/users/authenticate`, {
      method: 'POST',
      body: JSON.stringify({ username, password }),
    });
    return new DemoClient(demo, tokenAnswer.parse(await response.json()).access_token);
  }

  async fetch(path: string, method = 'GET', body?: unknown): Promise<Response> {
    const headers = { authorization: `Bearer ${this.token}` };
    return fetch(this.demo.gns3Url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async get(path: string): Promise<unknown> {
    return (await this.fetch(path)).json();
  }

  async nodes(): Promise<z.output<typeof nodeList>> {
    return nodeList.parse(await this.get(`/v3/projects/${this.demo.projectId}/nodes`));
  }

  async consolePort(name: string): Promise<number> {
    const port = (await this.nodes()).find((node) => node.name === name)?.console;
    if (port === null || port === undefined) throw new Error(`${name} has no console`);
    return port;
  }

  async openConsole(name: string): Promise<ConsoleClient> {
    return ConsoleClient.connect(await this.consolePort(name));
  }
}
