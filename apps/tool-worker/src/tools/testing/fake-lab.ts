import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Gns3Client } from '@copilot/gns3';
import { DEFAULT_FORBIDDEN } from '../../commands/forbidden';
import { ConsoleAccess } from '../../consoles/console-access';
import { FakeConsole, type FakeDevice } from '../../consoles/testing/fake-console';
import { MemoryConsoleLocks } from '../../consoles/testing/memory-console-locks';
import { TEST_TIMINGS } from '../../consoles/testing/timings';
import type { ToolContext } from '../tool-context';

export const PROJECT_ID = '11111111-1111-4111-8111-111111111111';

export interface FakeNode {
  name: string;
  node_id?: string;
  node_type?: string;
  status?: string;
  console?: number | null;
  console_type?: string;
  tags?: string[];
  ports?: { name: string; adapter_number: number; port_number: number }[];
  /** A node with a device gets a console for it. */
  device?: FakeDevice;
}

/** A GNS3 server with some nodes, their consoles, and what a tool needs to work on them. */
export class FakeLab {
  readonly consoles = new Map<string, FakeConsole>();
  status = 'opened';
  /** Cables, as the server lists them. */
  links: readonly unknown[] = [];

  private constructor(
    private readonly server: Server,
    private readonly nodes: readonly FakeNode[],
  ) {}

  static async start(nodes: readonly FakeNode[]): Promise<FakeLab> {
    const server = createServer();
    const lab = new FakeLab(server, nodes);
    for (const { name, device } of nodes) {
      if (device !== undefined) lab.consoles.set(name, await FakeConsole.start(device));
    }
    server.on('request', (request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(lab.answer(request.url ?? '')));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return lab;
  }

  get url(): string {
    const address = this.server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    return `http://127.0.0.1:${port}`;
  }

  context(overrides: Partial<ToolContext> = {}): ToolContext {
    return {
      projectId: PROJECT_ID,
      runId: 'run-1',
      labLogin: 'service',
      callId: 'call-1',
      signal: new AbortController().signal,
      onWaiting: () => undefined,
      findCall: async () => undefined,
      gns3: new Gns3Client({ baseUrl: this.url, credentials: { token: 't' } }),
      consoles: new ConsoleAccess(new MemoryConsoleLocks(), TEST_TIMINGS),
      forbidden: DEFAULT_FORBIDDEN,
      commandTimeoutMs: 3_000,
      ...overrides,
    };
  }

  /** The lines that a device's console got, without bare presses of Enter. */
  received(name: string): string[] {
    return (this.consoles.get(name)?.lines ?? []).filter((line) => line !== '');
  }

  async stop(): Promise<void> {
    for (const console of this.consoles.values()) await console.stop();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private answer(url: string): unknown {
    if (url.endsWith('/authenticate')) return { access_token: 't' };
    if (url.endsWith('/nodes')) return this.nodes.map((node) => this.nodeOf(node));
    if (url.endsWith('/links')) return this.links;
    return { project_id: PROJECT_ID, name: 'lab', status: this.status };
  }

  private nodeOf({ device: _device, ...node }: FakeNode): unknown {
    return {
      node_id: `id-of-${node.name}`,
      node_type: 'dynamips',
      status: 'started',
      console: this.consoles.get(node.name)?.port ?? null,
      console_type: 'telnet',
      console_host: '0.0.0.0',
      compute_id: 'local',
      tags: ['device_type:cisco_ios_telnet'],
      ...node,
    };
  }
}
