import type { Topology, TopologyLink, TopologyNode } from './topology';

/**
 * The topology as compact text for a prompt: one line a node and a link, the ports that are free, no
 * coordinates, ids only where two nodes share a name. The same topology always gives the same text.
 */
export function renderTopology(topology: Topology): string {
  const { project, nodes, links } = topology;
  const labels = nodeLabels(nodes);
  const label = (nodeId: string, name: string) => labels.get(nodeId) ?? oneLine(name);
  return [
    `Project: ${oneLine(project.name)} (id ${project.id}, ${project.status})`,
    `Nodes (${nodes.length}): name | type | status | console | device type | ports in use | free ports`,
    ...nodes.map((node) => nodeLine(node, label(node.node_id, node.name))),
    `Links (${links.length}):`,
    ...links.map((link) => linkLine(link, label)),
  ].join('\n');
}

/** The name of each node by id, with the id added where the name alone would not say which node it is. */
function nodeLabels(nodes: readonly TopologyNode[]): Map<string, string> {
  const count = new Map<string, number>();
  for (const { name } of nodes) count.set(name, (count.get(name) ?? 0) + 1);
  return new Map(
    nodes.map(({ name, node_id }) => [
      node_id,
      (count.get(name) ?? 0) > 1 ? `${oneLine(name)} [node_id ${node_id}]` : oneLine(name),
    ]),
  );
}

function nodeLine(node: TopologyNode, label: string): string {
  const used = node.ports.filter(({ link }) => link !== undefined);
  const free = node.ports.filter(({ link }) => link === undefined);
  return [
    `- ${label}`,
    node.type,
    node.status,
    node.console === null ? 'none' : node.console_type,
    node.device_type ?? '-',
    portList(used.map((port) => port.name)),
    portList(free.map((port) => port.short_name)),
  ].join(' | ');
}

/** A switch may have dozens of ports; beyond a few, their number says enough. */
const MAX_LISTED_PORTS = 16;

function portList(names: readonly string[]): string {
  if (names.length === 0) return '-';
  const listed = names.slice(0, MAX_LISTED_PORTS).map(oneLine).join(', ');
  const more = names.length - MAX_LISTED_PORTS;
  return more > 0 ? `${listed} and ${more} more` : listed;
}

function linkLine(link: TopologyLink, label: (nodeId: string, name: string) => string): string {
  const a = `${label(link.node_a_id, link.node_a)} ${oneLine(link.port_a)}`;
  const b = `${label(link.node_b_id, link.node_b)} ${oneLine(link.port_b)}`;
  return `- ${a} <-> ${b}`;
}

/** Names are chosen by people in the lab; none may start a line of its own in a prompt. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029|]+/gu, ' ').trim();
}
