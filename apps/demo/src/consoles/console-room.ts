import type { Failures } from '../failures';
import type { Lab } from '../lab/lab';
import { ConsoleServer } from './console-server';

/** The console ports of a lab: open while their device runs and no failure switch refuses them. */
export class ConsoleRoom {
  private readonly servers = new Map<string, ConsoleServer>();

  constructor(
    private readonly lab: Lab,
    host: string,
    private readonly failures: Failures,
  ) {
    for (const [name, device] of lab.devices)
      this.servers.set(name, new ConsoleServer(device, host, failures));
  }

  /** Gives every device its port, also those that may not open it: a node has its port in every state. */
  async open(): Promise<void> {
    for (const server of this.servers.values()) await server.open();
    await this.update();
  }

  /** To be called after power or failure switches changed. */
  async update(): Promise<void> {
    for (const [name, server] of this.servers) {
      const isOpen = this.lab.isRunning(name) && !this.failures.refusesConsole(name);
      await (isOpen ? server.open() : server.close());
    }
  }

  /** Clients of a node that lost its power are cut off even when it comes back at once. */
  async cut(name: string): Promise<void> {
    await this.servers.get(name)?.close();
  }

  port(name: string): number | undefined {
    return this.servers.get(name)?.port;
  }

  show(name: string, text: string): void {
    this.servers.get(name)?.broadcast(text);
  }

  async close(): Promise<void> {
    await Promise.all([...this.servers.values()].map((server) => server.close()));
  }
}
