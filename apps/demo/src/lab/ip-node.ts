import type { Ipv4, Prefix } from './ipv4';

/** An interface with an address that is up. */
export interface IpInterface {
  readonly node: string;
  readonly port: string;
  readonly mac: string;
  readonly address: Ipv4;
  readonly prefixLength: number;
}

export type RouteSource = 'connected' | 'local' | 'static' | 'ospf' | 'ospf-inter-area';

export interface Route {
  readonly prefix: Prefix;
  readonly source: RouteSource;
  readonly distance: number;
  readonly metric: number;
  readonly exitPort?: string;
  readonly nextHop?: Ipv4;
}

/** Where a packet leaves a node, and the address that must answer there. */
export interface Hop {
  readonly port: string;
  readonly nextHop: Ipv4;
}

/** What the network needs to know of a device to carry its packets. */
export interface IpNode {
  readonly name: string;
  /** A router passes packets on; a PC only takes its own. */
  readonly forwards: boolean;
  ipInterfaces(): readonly IpInterface[];
  nextHop(destination: Ipv4): Hop | undefined;
}
