import { createHash } from 'node:crypto';

export type NodeKind = 'router' | 'switch' | 'pc';

export interface NodePlan {
  readonly kind: NodeKind;
  readonly name: string;
  readonly nodeId: string;
  readonly ports: readonly string[];
  readonly x: number;
  readonly y: number;
  /** What the device holds as its saved configuration when it boots. */
  readonly startup: readonly string[];
}

export interface PortRef {
  readonly node: string;
  readonly port: string;
}

export interface LinkPlan {
  readonly linkId: string;
  readonly ends: readonly [PortRef, PortRef];
}

export interface LabPlan {
  readonly nodes: readonly NodePlan[];
  readonly links: readonly LinkPlan[];
}

const GIGABIT = [0, 1, 2, 3].map((port) => `GigabitEthernet0/${port}`);
const SWITCH_PORTS = [0, 1, 2, 3, 4, 5, 6, 7].map((port) => `Ethernet${port}`);
const PC_PORTS = ['Ethernet0'];

/**
 * The lab of a first run. R2 and PC1 are ready; R1's link to R2, PC2 and all routing are left
 * to be configured, so that the first question has something to do.
 */
export function fiveNodeLab(): LabPlan {
  return {
    nodes: [
      router('R1', -200, 0, [
        ...addressed('Loopback0', '1.1.1.1 255.255.255.255'),
        ...addressed('GigabitEthernet0/1', '192.168.1.1 255.255.255.0'),
      ]),
      router('R2', 200, 0, [
        ...addressed('Loopback0', '2.2.2.2 255.255.255.255'),
        ...addressed('GigabitEthernet0/0', '10.0.12.2 255.255.255.252'),
        ...addressed('GigabitEthernet0/1', '192.168.2.1 255.255.255.0'),
      ]),
      {
        kind: 'switch',
        name: 'SW1',
        nodeId: stableUuid('SW1'),
        ports: SWITCH_PORTS,
        x: -200,
        y: 150,
        startup: [],
      },
      pc('PC1', -200, 300, ['ip 192.168.1.10/24 192.168.1.1']),
      pc('PC2', 200, 300, []),
    ],
    links: [
      link('R1', 'GigabitEthernet0/0', 'R2', 'GigabitEthernet0/0'),
      link('R1', 'GigabitEthernet0/1', 'SW1', 'Ethernet0'),
      link('PC1', 'Ethernet0', 'SW1', 'Ethernet1'),
      link('R2', 'GigabitEthernet0/1', 'PC2', 'Ethernet0'),
    ],
  };
}

/** Routers R1..Rn in a ring, each with a PC; everything has an address, routing is left to be configured. */
export function ringLab(size: number): LabPlan {
  const numbers = Array.from({ length: size }, (_, index) => index + 1);
  const ringLinks = size === 1 ? [] : numbers.slice(0, size === 2 ? 1 : size);
  const after = (number: number): number => (number === size ? 1 : number + 1);
  const subnet = (number: number): string => `10.${number >> 8}.${number & 0xff}`;
  const site = (number: number): string => `172.${16 + (number >> 8)}.${number & 0xff}`;
  const routers = numbers.map((number) => {
    const before = number === 1 ? size : number - 1;
    const angle = (2 * Math.PI * number) / size;
    return router(
      `R${number}`,
      Math.round(Math.cos(angle) * size * 60),
      Math.round(Math.sin(angle) * size * 60),
      [
        ...addressed('Loopback0', `10.255.${number >> 8}.${number & 0xff} 255.255.255.255`),
        ...(ringLinks.includes(number)
          ? addressed('GigabitEthernet0/0', `${subnet(number)}.1 255.255.255.252`)
          : []),
        ...(ringLinks.includes(before)
          ? addressed('GigabitEthernet0/1', `${subnet(before)}.2 255.255.255.252`)
          : []),
        ...addressed('GigabitEthernet0/2', `${site(number)}.1 255.255.255.0`),
      ],
    );
  });
  const pcs = numbers.map((number) =>
    pc(`PC${number}`, number * 120, size * 60 + 200, [`ip ${site(number)}.10/24 ${site(number)}.1`]),
  );
  return {
    nodes: [...routers, ...pcs],
    links: [
      ...ringLinks.map((number) =>
        link(`R${number}`, 'GigabitEthernet0/0', `R${after(number)}`, 'GigabitEthernet0/1'),
      ),
      ...numbers.map((number) => link(`R${number}`, 'GigabitEthernet0/2', `PC${number}`, 'Ethernet0')),
    ],
  };
}

/** The same name gives the same id in every start, so that a kept database still fits the lab. */
export function stableUuid(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function router(name: string, x: number, y: number, interfaces: readonly string[]): NodePlan {
  const startup = [
    `hostname ${name}`,
    'no ip domain lookup',
    ...interfaces,
    'line con 0',
    ' logging synchronous',
  ];
  return { kind: 'router', name, nodeId: stableUuid(name), ports: GIGABIT, x, y, startup };
}

function pc(name: string, x: number, y: number, startup: readonly string[]): NodePlan {
  return { kind: 'pc', name, nodeId: stableUuid(name), ports: PC_PORTS, x, y, startup };
}

function addressed(name: string, addressAndMask: string): string[] {
  return [`interface ${name}`, ` ip address ${addressAndMask}`, ' no shutdown'];
}

function link(nodeA: string, portA: string, nodeB: string, portB: string): LinkPlan {
  return {
    linkId: stableUuid(`${nodeA} ${portA} - ${nodeB} ${portB}`),
    ends: [
      { node: nodeA, port: portA },
      { node: nodeB, port: portB },
    ],
  };
}
