import type { Ipv4, Prefix } from '../lab/ipv4';

export interface IosInterface {
  readonly name: string;
  readonly mac: string;
  address?: Ipv4;
  prefixLength: number;
  /** `NVRAM` when the address came with the boot configuration. */
  method: 'manual' | 'NVRAM';
  description?: string;
  shutdown: boolean;
  ospf?: { processId: number; area: number };
  ospfCost?: number;
  /** Accepted lines that change nothing in the simulation (speed, duplex, ...), kept to be shown again. */
  readonly kept: string[];
}

export interface OspfNetwork {
  readonly base: Ipv4;
  readonly wildcard: Ipv4;
  readonly area: number;
}

export interface OspfProcess {
  readonly processId: number;
  routerId?: Ipv4;
  networks: OspfNetwork[];
  readonly passive: Set<string>;
}

export interface StaticRoute {
  readonly prefix: Prefix;
  readonly nextHop?: Ipv4;
  readonly exitPort?: string;
  readonly distance: number;
}

export interface IosLine {
  readonly name: string;
  readonly kept: string[];
}

/** Everything that a router's configuration says. */
export interface IosState {
  hostname: string;
  readonly interfaces: Map<string, IosInterface>;
  /** Hash of the password that `enable` asks for. */
  enableSecret?: string;
  ospf?: OspfProcess;
  routes: StaticRoute[];
  readonly kept: string[];
  readonly lines: Map<string, IosLine>;
}

/** A router out of its box: every port present, unaddressed and shut down. */
export function blankState(ports: readonly string[], macBase: number): IosState {
  const interfaces = ports.map((name, index): [string, IosInterface] => [
    name,
    { name, mac: formatMac(macBase, index), prefixLength: 0, method: 'manual', shutdown: true, kept: [] },
  ]);
  return {
    hostname: 'Router',
    interfaces: new Map(interfaces),
    routes: [],
    kept: [],
    lines: new Map(['con 0', 'aux 0', 'vty 0 4'].map((name) => [name, { name, kept: [] }])),
  };
}

export function loopback(name: string): IosInterface {
  return { name, mac: '0000.0000.0000', prefixLength: 0, method: 'manual', shutdown: false, kept: [] };
}

function formatMac(macBase: number, index: number): string {
  const node = macBase.toString(16).padStart(4, '0').slice(-4);
  return `0c10.${node}.${index.toString(16).padStart(4, '0')}`;
}
