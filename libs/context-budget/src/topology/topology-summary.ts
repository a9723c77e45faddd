import type { ToolName } from '@copilot/contracts';
import { runYielding, type Steps } from '../counting/steps';
import type { MessageCounter } from '../messages/message-counter';

export interface TopologyNode {
  readonly name: string;
  readonly type: string;
  readonly status: string;
}

export interface TopologyEnd {
  readonly node: string;
  readonly port: string;
}

export interface Topology {
  readonly nodes: readonly TopologyNode[];
  readonly links: readonly (readonly [TopologyEnd, TopologyEnd])[];
}

/** Share of the input budget above which a topology is summarised. */
const TOPOLOGY_SHARE = 0.2;

/** The tool that tells the model what a summary leaves out. */
const DETAILS_TOOL = 'gns3_node_details' satisfies ToolName;

/**
 * The topology text for the prompt: `rendered` as it is, or, above a fifth of the input budget, the fullest
 * summary that fits. Every node's name is in each of them; the tersest is used even where it does not fit.
 * Gives the event loop back every few milliseconds.
 */
export function fitTopology(
  rendered: string,
  topology: Topology,
  inputBudgetTokens: number,
  counter: MessageCounter,
  yieldNow: () => Promise<void>,
): Promise<string> {
  return runYielding(fitTopologySteps(rendered, topology, inputBudgetTokens, counter), yieldNow);
}

function* fitTopologySteps(
  rendered: string,
  topology: Topology,
  inputBudgetTokens: number,
  counter: MessageCounter,
): Steps<string> {
  const maxTokens = Math.floor(inputBudgetTokens * TOPOLOGY_SHARE);
  if ((yield* counter.fixedTextSteps(rendered)) <= maxTokens) return rendered;
  for (const links of [portLinks, neighbours]) {
    const summary = summaryOf(topology, links(topology));
    if ((yield* counter.textSteps(summary)) <= maxTokens) return summary;
  }
  return summaryOf(topology, []);
}

function summaryOf({ nodes, links }: Topology, linkLines: readonly string[]): string {
  return [
    `(Summary: ${nodes.length} nodes, ${links.length} links. ${DETAILS_TOOL} gives one node's ports, console and links.)`,
    ...nodesByKind(nodes),
    ...linkLines,
  ].join('\n');
}

/** One line a type and status, with the names. */
function nodesByKind(nodes: readonly TopologyNode[]): string[] {
  const names = new Map<string, string[]>();
  for (const node of nodes) {
    const kind = `${oneLine(node.type)} ${oneLine(node.status)}`;
    const known = names.get(kind);
    if (known) known.push(oneLine(node.name));
    else names.set(kind, [oneLine(node.name)]);
  }
  return [...names].map(([kind, list]) => `${kind}: ${list.join(', ')}`);
}

function portLinks({ links }: Topology): string[] {
  return links.map(([first, second]) => `${end(first)} - ${end(second)}`);
}

/** Each node's neighbours, every link once. */
function neighbours({ links }: Topology): string[] {
  const byNode = new Map<string, string[]>();
  for (const [first, second] of links) {
    const known = byNode.get(first.node);
    if (known) known.push(oneLine(second.node));
    else byNode.set(first.node, [oneLine(second.node)]);
  }
  return [...byNode].map(([node, others]) => `${oneLine(node)} - ${others.join(', ')}`);
}

function end({ node, port }: TopologyEnd): string {
  return `${oneLine(node)} ${oneLine(port)}`;
}

/** Names come from the lab: a line break in one must not look like a line of ours. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
