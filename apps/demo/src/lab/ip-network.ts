import type { Cabling } from './cabling';
import type { IpInterface, IpNode } from './ip-node';
import type { Ipv4 } from './ipv4';

const MAX_HOPS = 64;

export type Delivery =
  | { kind: 'delivered'; path: readonly Ipv4[]; to: IpNode }
  /** No route or no ARP answer at the sender itself: it never left. */
  | { kind: 'no-route' | 'no-answer'; path: readonly Ipv4[] }
  /** A router on the way had no route: it says so to the sender. */
  | { kind: 'unreachable'; path: readonly Ipv4[]; by: Ipv4 };

export type PingOutcome =
  | { kind: 'reply'; from: Ipv4; hops: number }
  | { kind: 'timeout' }
  | { kind: 'no-route' }
  | { kind: 'unreachable'; by: Ipv4 };

/** Carries packets over the cabling by what each node's own routes say, in both directions. */
export class IpNetwork {
  private readonly nodes = new Map<string, IpNode>();

  constructor(readonly cabling: Cabling) {}

  add(node: IpNode): void {
    this.nodes.set(node.name, node);
  }

  /** Addressed interfaces of other nodes on the same wire. */
  neighbours(node: string, port: string): IpInterface[] {
    return this.cabling.reach({ node, port }).flatMap(
      (end) =>
        this.nodes
          .get(end.node)
          ?.ipInterfaces()
          .filter((each) => each.port === end.port) ?? [],
    );
  }

  deliver(from: IpNode, destination: Ipv4): Delivery {
    const path: Ipv4[] = [];
    let node = from;
    for (let hops = 0; hops <= MAX_HOPS; hops += 1) {
      if (node.ipInterfaces().some((each) => each.address === destination)) {
        // The last router answers with the address that was asked for, not the one it was entered by.
        return {
          kind: 'delivered',
          path: [...path.slice(0, -1), ...(node === from ? [] : [destination])],
          to: node,
        };
      }
      const arrivedOn = path.at(-1);
      if (arrivedOn !== undefined && !node.forwards) return { kind: 'no-answer', path };
      const hop = node.nextHop(destination);
      if (!hop)
        return arrivedOn === undefined
          ? { kind: 'no-route', path }
          : { kind: 'unreachable', path, by: arrivedOn };
      const next = this.neighbours(node.name, hop.port).find((each) => each.address === hop.nextHop);
      const nextNode = next && this.nodes.get(next.node);
      if (!next || !nextNode) return { kind: 'no-answer', path };
      path.push(next.address);
      node = nextNode;
    }
    return { kind: 'no-answer', path };
  }

  /** One echo there and back. `source` defaults to the address of the interface that it leaves by. */
  ping(from: IpNode, destination: Ipv4, source?: Ipv4): PingOutcome {
    const there = this.deliver(from, destination);
    if (there.kind === 'no-route') return { kind: 'no-route' };
    if (there.kind === 'unreachable') return { kind: 'unreachable', by: there.by };
    if (there.kind !== 'delivered') return { kind: 'timeout' };
    const replyTo = source ?? this.sourceFor(from, destination);
    if (replyTo === undefined) return { kind: 'timeout' };
    const back = this.deliver(there.to, replyTo);
    if (back.kind !== 'delivered' || back.to !== from) return { kind: 'timeout' };
    return { kind: 'reply', from: destination, hops: there.path.length };
  }

  /** The address that packets to a destination carry as their source. */
  sourceFor(from: IpNode, destination: Ipv4): Ipv4 | undefined {
    const own = from.ipInterfaces();
    if (own.some((each) => each.address === destination)) return destination;
    const hop = from.nextHop(destination);
    return own.find((each) => each.port === hop?.port)?.address;
  }
}
