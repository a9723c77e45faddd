import { z } from 'zod';
import { parseJson } from '../http/http-server';

export interface LabNode {
  readonly name: string;
  /** What can be typed into it: a router's or a PC's commands, or nothing. */
  readonly kind: 'router' | 'pc' | 'other';
  readonly type: string;
  readonly status: string;
}

export interface LabEnd {
  readonly node: string;
  readonly port: string;
}

export interface LabLink {
  readonly ends: readonly [LabEnd, LabEnd];
}

/** The lab as the request describes it: in the system prompt as text or JSON, or in a tool's result. */
export interface LabView {
  readonly projectId?: string;
  readonly nodes: readonly LabNode[];
  readonly links: readonly LabLink[];
}

const jsonNode = z.looseObject({
  name: z.string(),
  type: z.string().optional(),
  node_type: z.string().optional(),
  status: z.string().optional(),
});
const jsonLink = z.looseObject({
  node_a: z.string(),
  port_a: z.string(),
  node_b: z.string(),
  port_b: z.string(),
});
const jsonTopology = z.looseObject({
  project_id: z.string().optional(),
  nodes: z.union([
    z.array(jsonNode),
    z.record(z.string(), jsonNode).transform((nodes) => Object.values(nodes)),
  ]),
  links: z.array(jsonLink).catch([]),
});

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/i;

export function readLab(text: string): LabView {
  const parsed = jsonTopology.safeParse(firstJson(text));
  const projectId = UUID.exec(text)?.[0];
  const found = parsed.success ? fromJson(parsed.data) : fromText(text);
  return projectId === undefined ? found : { projectId, ...found };
}

function fromJson(data: z.output<typeof jsonTopology>): LabView {
  const nodes = data.nodes.map((each) =>
    labNode(each.name, each.type ?? each.node_type ?? '', each.status ?? 'unknown'),
  );
  const links = data.links.map((each): LabLink => ({
    ends: [
      { node: each.node_a, port: each.port_a },
      { node: each.node_b, port: each.port_b },
    ],
  }));
  return { nodes, links };
}

/** Lines like `- R1 | qemu | started | ...` and `- R1 Gi0/0 <-> R2 Gi0/0`. */
function fromText(text: string): LabView {
  const nodes: LabNode[] = [];
  const links: LabLink[] = [];
  for (const line of text.split('\n')) {
    const [, name, type, status] = /^\s*[-*]\s+(\S+)(?: \[[^\]]*\])? \| ([a-z_]+) \| (\w+)/.exec(line) ?? [];
    if (name && type && status) nodes.push(labNode(name, type, status));
    const [, nodeA, portA, nodeB, portB] = /^\s*[-*]\s+(\S+) (\S+) <-> (\S+) (\S+)/.exec(line) ?? [];
    if (nodeA && portA && nodeB && portB) {
      links.push({
        ends: [
          { node: nodeA, port: portA },
          { node: nodeB, port: portB },
        ],
      });
    }
  }
  return { nodes, links };
}

export function labNode(name: string, type: string, status: string): LabNode {
  const silent = ['ethernet_switch', 'ethernet_hub', 'cloud', 'nat', 'frame_relay_switch', 'atm_switch'];
  const kind = type === 'vpcs' ? 'pc' : silent.includes(type) ? 'other' : 'router';
  return { name, kind, type, status };
}

/** The text itself, or the first `{` to the last `}` of it, as JSON. */
function firstJson(text: string): unknown {
  const start = text.indexOf('{');
  return start < 0 ? undefined : parseJson(text.slice(start, text.lastIndexOf('}') + 1));
}
