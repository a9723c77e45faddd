import { describe, expect, it } from '@jest/globals';
import { modelSettingsSchema } from '@copilot/contracts';
import type { Topology } from '@copilot/gns3';
import { promptTopology } from './prompt-topology';
import { messageCounter } from './token-counting';

const names = Array.from({ length: 120 }, (_, index) => `Router-${index}`);

/** A row of routers, each linked to the next. */
const lab: Topology = {
  project: { id: 'p', name: 'lab', status: 'opened' },
  nodes: names.map((name) => ({
    name,
    node_id: `id-of-${name}`,
    type: 'dynamips',
    status: 'started',
    console: 5000,
    console_host: '10.0.0.1',
    console_type: 'telnet',
    ports: ['FastEthernet0/0', 'FastEthernet0/1'].map((port) => ({ name: port, short_name: port })),
    tags: [],
  })),
  links: names.slice(1).map((name, index) => ({
    link_id: `link-${index}`,
    node_a: names[index] ?? '',
    node_a_id: `id-of-${names[index]}`,
    port_a: 'FastEthernet0/1',
    node_b: name,
    node_b_id: `id-of-${name}`,
    port_b: 'FastEthernet0/0',
  })),
};

function shown(context_limit: number): Promise<string> {
  const settings = modelSettingsSchema.parse({ provider: 'openai', base_url: '', model: 'm', context_limit });
  return promptTopology(lab, settings);
}

const tokens = (text: string) => messageCounter('cl100k_base').countMessage({ role: 'user', content: text });

describe('promptTopology', () => {
  it('shows a lab whole where it takes at most a fifth of the budget', async () => {
    expect(await shown(128)).toContain('- Router-7 | dynamips | started | telnet');
  });

  it('summarises a larger one: every name, links as they fit, and the tool for the rest', async () => {
    const summary = await shown(16);
    expect(summary).toContain('(Summary: 120 nodes, 119 links. gns3_node_details gives');
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(summary))).toEqual([]);
    expect(tokens(summary)).toBeLessThanOrEqual(12_000 / 5 + 4);
    expect(summary).not.toContain('10.0.0.1');
  });
});
