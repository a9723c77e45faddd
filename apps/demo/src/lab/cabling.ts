import type { LinkPlan, PortRef } from './lab-plan';

/** Who is on the same wire: links, with running switches joining all of their ports. */
export class Cabling {
  private readonly peers = new Map<string, PortRef>();
  private readonly switchPorts = new Map<string, PortRef[]>();

  constructor(
    links: readonly LinkPlan[],
    switches: readonly string[],
    private readonly isRunning: (node: string) => boolean,
  ) {
    for (const name of switches) this.switchPorts.set(name, []);
    for (const { ends } of links) {
      const [first, second] = ends;
      this.peers.set(keyOf(first), second);
      this.peers.set(keyOf(second), first);
      for (const end of ends) this.switchPorts.get(end.node)?.push(end);
    }
  }

  /** The far end of a port's cable, switch or not. */
  peer(port: PortRef): PortRef | undefined {
    return this.peers.get(keyOf(port));
  }

  /** Ports of other routers and PCs in the same broadcast domain. */
  reach(from: PortRef): PortRef[] {
    const found: PortRef[] = [];
    const seen = new Set([keyOf(from)]);
    const open: PortRef[] = [from];
    for (let here = open.pop(); here; here = open.pop()) {
      const peer = this.peer(here);
      if (!peer || seen.has(keyOf(peer)) || !this.isRunning(peer.node)) continue;
      seen.add(keyOf(peer));
      const ports = this.switchPorts.get(peer.node);
      if (!ports) found.push(peer);
      else open.push(...ports.filter((port) => !seen.has(keyOf(port))));
    }
    return found;
  }
}

function keyOf(port: PortRef): string {
  return `${port.node} ${port.port}`;
}
