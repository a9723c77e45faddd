import { consoleHost, needsComputes } from './console-host';
import type { Gns3Client } from './gns3-client';
import type { Gns3Compute, Gns3Link, Gns3Node } from './schemas';
import { deviceTypeOf } from './device-type';
import { Gns3Error } from './gns3-error';

export interface TopologyPort {
  name: string;
  short_name: string;
  /** Id of the link that is plugged in here. */
  link?: string;
}

export interface TopologyNode {
  name: string;
  node_id: string;
  type: string;
  status: string;
  console: number | null;
  console_host: string;
  console_type: string;
  /** Driver name from the `device_type:` tag. */
  device_type?: string;
  ports: TopologyPort[];
  tags: string[];
}

/** One cable. Names are for reading; ids tell nodes of the same name apart. */
export interface TopologyLink {
  link_id: string;
  node_a: string;
  node_a_id: string;
  port_a: string;
  node_b: string;
  node_b_id: string;
  port_b: string;
}

/** A lab without what only a drawing needs, and without secrets: safe for prompts and tool results. */
export interface Topology {
  project: { id: string; name: string; status: string };
  nodes: TopologyNode[];
  links: TopologyLink[];
}

/** Reads a project's topology, sorted so that the same lab always gives the same result. */
export async function readTopology(
  client: Gns3Client,
  projectId: string,
  signal?: AbortSignal,
): Promise<Topology> {
  const [project, nodes, links] = await Promise.all([
    client.getProject(projectId, signal),
    client.listNodes(projectId, signal),
    client.listLinks(projectId, signal),
  ]);
  const computes = await computesFor(client, nodes, signal);
  const plugged = linkByPort(links);
  const byId = new Map(nodes.map((node) => [node.node_id, node]));
  return {
    project: { id: project.project_id, name: project.name, status: project.status },
    nodes: nodes.map((node) => topologyNode(node, plugged, client.serverHost, computes)).sort(byNameThenId),
    links: links.flatMap((link) => topologyLink(link, byId)).sort(byEnds),
  };
}

/** The computes, where a console's host depends on them. A user who may not list them still has a lab. */
export async function computesFor(
  client: Gns3Client,
  nodes: readonly Gns3Node[],
  signal?: AbortSignal,
): Promise<Gns3Compute[]> {
  if (!nodes.some(needsComputes)) return [];
  try {
    return await client.listComputes(signal);
  } catch (error) {
    if (error instanceof Gns3Error && error.code === 'forbidden') return [];
    throw error;
  }
}

function portKey(nodeId: string, adapterNumber: number, portNumber: number): string {
  return `${nodeId}/${adapterNumber}/${portNumber}`;
}

function linkByPort(links: readonly Gns3Link[]): Map<string, string> {
  return new Map(
    links.flatMap(({ link_id, nodes }) =>
      (nodes ?? []).map((end): [string, string] => [
        portKey(end.node_id, end.adapter_number, end.port_number),
        link_id,
      ]),
    ),
  );
}

function topologyNode(
  node: Gns3Node,
  plugged: ReadonlyMap<string, string>,
  serverHost: string,
  computes: readonly Gns3Compute[],
): TopologyNode {
  const deviceType = deviceTypeOf(node);
  return {
    name: node.name,
    node_id: node.node_id,
    type: node.node_type,
    status: node.status ?? 'unknown',
    console: node.console ?? null,
    console_host: consoleHost(node, serverHost, computes),
    console_type: node.console_type ?? 'none',
    ...(deviceType === undefined ? {} : { device_type: deviceType }),
    ports: (node.ports ?? []).map((port) => {
      const link = plugged.get(portKey(node.node_id, port.adapter_number, port.port_number));
      return {
        name: port.name,
        short_name: port.short_name ?? port.name,
        ...(link === undefined ? {} : { link }),
      };
    }),
    tags: node.tags ?? [],
  };
}

/** A link that lacks an end is being made or removed, and no cable yet. */
function topologyLink(link: Gns3Link, nodes: ReadonlyMap<string, Gns3Node>): TopologyLink[] {
  const ends = (link.nodes ?? []).flatMap((end) => {
    const node = nodes.get(end.node_id);
    if (node === undefined) return [];
    const port = node.ports?.find(
      ({ adapter_number, port_number }) =>
        adapter_number === end.adapter_number && port_number === end.port_number,
    );
    return [{ node, port: port?.name ?? `${end.adapter_number}/${end.port_number}` }];
  });
  const [a, b] = ends.sort((left, right) => byNameThenId(left.node, right.node));
  if (a === undefined || b === undefined) return [];
  return [
    {
      link_id: link.link_id,
      node_a: a.node.name,
      node_a_id: a.node.node_id,
      port_a: a.port,
      node_b: b.node.name,
      node_b_id: b.node.node_id,
      port_b: b.port,
    },
  ];
}

const collator = new Intl.Collator('en', { numeric: true });

/** R2 before R10, and two nodes of the same name always in the same order. */
function byNameThenId(a: { name: string; node_id: string }, b: { name: string; node_id: string }): number {
  return collator.compare(a.name, b.name) || collator.compare(a.node_id, b.node_id);
}

function byEnds(a: TopologyLink, b: TopologyLink): number {
  return (
    collator.compare(a.node_a, b.node_a) ||
    collator.compare(a.port_a, b.port_a) ||
    collator.compare(a.node_b, b.node_b) ||
    collator.compare(a.link_id, b.link_id)
  );
}
