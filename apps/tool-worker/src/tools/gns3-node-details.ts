import type { ToolArgs } from '@copilot/contracts';
import { readTopology, type TopologyLink, type TopologyNode } from '@copilot/gns3';
import { listedNames } from './listed-names';
import type { ToolContext } from './tool-context';

type NodeDetails = Omit<TopologyNode, 'console_host'> & { links: TopologyLink[] };

/** One node as it is now, with its cables. Rejects when the name is unknown or not one node's alone. */
export async function gns3NodeDetails(
  { node_name: wanted }: ToolArgs<'gns3_node_details'>,
  { gns3, projectId, signal }: ToolContext,
): Promise<NodeDetails> {
  const { nodes, links } = await readTopology(gns3, projectId, signal);
  const matches = nodes.filter(({ name, node_id }) => name === wanted || node_id === wanted);
  const [node, ...others] = matches;
  if (!node) {
    const known = listedNames(nodes.map(({ name }) => name));
    throw new Error(`there is no node '${wanted}' in the lab. Known nodes: ${known}.`);
  }
  if (others.length > 0) {
    const ids = matches.map(({ node_id, type }) => `${node_id} (${type})`).join(', ');
    throw new Error(`${matches.length} nodes are named '${wanted}'. Use one of their node ids: ${ids}.`);
  }
  const { console_host: _internal, ...details } = node;
  return {
    ...details,
    links: links.filter(({ node_a_id, node_b_id }) => [node_a_id, node_b_id].includes(node.node_id)),
  };
}
