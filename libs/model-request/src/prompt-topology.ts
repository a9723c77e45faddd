import { fitTopology, inputBudget } from '@copilot/context-budget';
import type { ModelSettings } from '@copilot/contracts';
import { renderTopology, type Topology } from '@copilot/gns3';
import { messageCounter, yieldToEventLoop } from './token-counting';

/** The lab as the prompt shows it: compact, and above a fifth of the input budget a summary. */
export function promptTopology(topology: Topology, settings: ModelSettings): Promise<string> {
  const budget = inputBudget({
    model: settings.model,
    contextLimitK: settings.context_limit,
    strategy: settings.context_strategy,
  });
  const plain = {
    nodes: topology.nodes,
    links: topology.links.map(
      ({ node_a, port_a, node_b, port_b }) =>
        [
          { node: node_a, port: port_a },
          { node: node_b, port: port_b },
        ] as const,
    ),
  };
  return fitTopology(
    renderTopology(topology),
    plain,
    budget,
    messageCounter(settings.tokenizer),
    yieldToEventLoop,
  );
}
