import type { ToolArgs } from '@copilot/contracts';
import { readTopology, type TopologyLink, type TopologyNode } from '@copilot/gns3';
import type { ToolContext } from './tool-context';

interface TopologyResult {
  project_id: string;
  name: string;
  status: string;
  nodes: Omit<TopologyNode, 'console_host'>[];
  links: TopologyLink[];
}

/** The lab as it is now. A list of nodes, not a map by name, since two nodes may share a name. */
export async function gns3TopologyReader(
  _args: ToolArgs<'gns3_topology_reader'>,
  { gns3, projectId, signal }: ToolContext,
): Promise<TopologyResult> {
  const { project, nodes, links } = await readTopology(gns3, projectId, signal);
  return {
    project_id: project.id,
    name: project.name,
    status: project.status,
    nodes: nodes.map(({ console_host: _internal, ...node }) => node),
    links,
  };
}
