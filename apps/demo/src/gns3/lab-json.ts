import type { NodeStatus } from '../lab/lab';
import { stableUuid, type LabPlan, type LinkPlan, type NodeKind, type NodePlan } from '../lab/lab-plan';

interface TypeFacts {
  readonly nodeType: string;
  readonly template: string;
  readonly symbol: string;
  readonly tags: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
}

const FACTS: Record<NodeKind, TypeFacts> = {
  router: {
    nodeType: 'qemu',
    template: 'Cisco IOSv',
    symbol: ':/symbols/router.svg',
    tags: ['device_type:cisco_ios_telnet'],
    properties: { platform: 'x86_64', ram: 512, cpus: 1, adapters: 4, adapter_type: 'e1000' },
  },
  switch: {
    nodeType: 'ethernet_switch',
    template: 'Ethernet switch',
    symbol: ':/symbols/ethernet_switch.svg',
    tags: [],
    properties: { ports_mapping: [] },
  },
  pc: {
    nodeType: 'vpcs',
    template: 'VPCS',
    symbol: ':/symbols/vpcs_guest.svg',
    tags: ['device_type:gns3_vpcs_telnet'],
    properties: {},
  },
};

export interface NodeState {
  readonly projectId: string;
  readonly status: NodeStatus;
  /** Undefined for a node without a command line. */
  readonly console: number | undefined;
  readonly consoleHost: string;
}

export function nodeJson(node: NodePlan, state: NodeState): Record<string, unknown> {
  const facts = FACTS[node.kind];
  return {
    project_id: state.projectId,
    node_id: node.nodeId,
    compute_id: 'local',
    template_id: stableUuid(`template ${facts.template}`),
    name: node.name,
    node_type: facts.nodeType,
    status: state.status,
    console: state.console ?? null,
    console_type: state.console === undefined ? 'none' : 'telnet',
    console_host: state.consoleHost,
    console_auto_start: false,
    aux: null,
    aux_type: 'none',
    command_line: null,
    node_directory: null,
    properties: facts.properties,
    ports: node.ports.map((name, index) => portJson(node.kind, name, index)),
    port_name_format: node.kind === 'router' ? 'GigabitEthernet0/{0}' : 'Ethernet{0}',
    port_segment_size: 0,
    first_port_name: null,
    custom_adapters: [],
    symbol: facts.symbol,
    label: { text: node.name, x: 0, y: -25, rotation: 0, style: null },
    width: 60,
    height: 60,
    x: node.x,
    y: node.y,
    z: 1,
    locked: false,
    tags: facts.tags,
  };
}

/** A router has one port an adapter; a switch and a PC have one adapter with all ports. */
function portJson(kind: NodeKind, name: string, index: number): Record<string, unknown> {
  return {
    name,
    short_name: name.replace('GigabitEthernet', 'Gi').replace(/^Ethernet/, 'e'),
    ...portNumbers(kind, index),
    adapter_type: kind === 'router' ? 'e1000' : null,
    link_type: 'ethernet',
    data_link_types: { Ethernet: 'DLT_EN10MB' },
    mac_address: null,
  };
}

export function linkJson(plan: LabPlan, link: LinkPlan, projectId: string): Record<string, unknown> {
  return {
    link_id: link.linkId,
    project_id: projectId,
    link_type: 'ethernet',
    nodes: link.ends.flatMap((end) => {
      const node = plan.nodes.find((each) => each.name === end.node);
      if (!node) return [];
      const label = {
        text: end.port.replace('GigabitEthernet', 'Gi').replace(/^Ethernet/, 'e'),
        x: 0,
        y: 0,
        rotation: 0,
        style: null,
      };
      return [{ node_id: node.nodeId, ...portNumbers(node.kind, node.ports.indexOf(end.port)), label }];
    }),
    capturing: false,
    capture_file_name: null,
    capture_file_path: null,
    capture_compute_id: null,
    filters: {},
    suspend: false,
    link_style: {},
    show_filters_icon: true,
    wireshark: false,
  };
}

function portNumbers(kind: NodeKind, index: number): { adapter_number: number; port_number: number } {
  return kind === 'router'
    ? { adapter_number: index, port_number: 0 }
    : { adapter_number: 0, port_number: index };
}

export function templatesJson(): Record<string, unknown>[] {
  return Object.values(FACTS).map((facts) => ({
    template_id: stableUuid(`template ${facts.template}`),
    name: facts.template,
    template_type: facts.nodeType,
    category: facts.nodeType === 'vpcs' ? 'guest' : facts.nodeType === 'qemu' ? 'router' : 'switch',
    compute_id: facts.nodeType === 'qemu' ? 'local' : null,
    builtin: facts.nodeType !== 'qemu',
    symbol: facts.symbol,
    default_name_format: facts.nodeType === 'vpcs' ? 'PC{0}' : facts.nodeType === 'qemu' ? 'R{0}' : 'SW{0}',
    console_type: facts.nodeType === 'ethernet_switch' ? 'none' : 'telnet',
    tags: facts.tags,
    usage: '',
  }));
}

export function computeJson(host: string, port: number): Record<string, unknown> {
  return {
    compute_id: 'local',
    name: 'demo lab',
    protocol: 'http',
    host,
    port,
    user: null,
    connected: true,
    cpu_usage_percent: 1,
    memory_usage_percent: 10,
    disk_usage_percent: 10,
    last_error: null,
    capabilities: {
      version: '3.1.0a2',
      node_types: Object.values(FACTS).map((facts) => facts.nodeType),
      platform: 'linux',
      cpus: 2,
      memory: 4_000_000_000,
      disk_size: 40_000_000_000,
    },
  };
}
