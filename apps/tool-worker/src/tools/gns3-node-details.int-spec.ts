import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { gns3NodeDetails } from './gns3-node-details';
import { FakeLab } from './testing/fake-lab';

const ports = [0, 1].map((port_number) => ({ name: `Gi0/${port_number}`, adapter_number: 0, port_number }));
const end = (node: string, port_number: number) => ({
  node_id: `id-of-${node}`,
  adapter_number: 0,
  port_number,
});

let lab: FakeLab;

beforeEach(async () => {
  lab = await FakeLab.start([
    { name: 'R1', ports },
    { name: 'R2', ports },
    { name: 'R3', ports },
    { name: 'PC', node_id: 'first', node_type: 'vpcs' },
    { name: 'PC', node_id: 'second', node_type: 'qemu' },
  ]);
  lab.links = [
    { link_id: 'a', nodes: [end('R1', 0), end('R2', 0)] },
    { link_id: 'b', nodes: [end('R2', 1), end('R3', 0)] },
  ];
});

afterEach(() => lab.stop());

const details = (node_name: string) => gns3NodeDetails({ node_name }, lab.context());

describe('gns3_node_details', () => {
  it('gives a node with its ports and its own cables only', async () => {
    const node = await details('R1');
    expect(node).toMatchObject({
      name: 'R1',
      node_id: 'id-of-R1',
      type: 'dynamips',
      status: 'started',
      ports: [{ name: 'Gi0/0', link: 'a' }, { name: 'Gi0/1' }],
    });
    expect(node.links).toEqual([
      expect.objectContaining({ node_a: 'R1', port_a: 'Gi0/0', node_b: 'R2', port_b: 'Gi0/0' }),
    ]);
    expect(node).not.toHaveProperty('console_host');
  });

  it('names what there is when there is no such node', async () => {
    await expect(details('R9')).rejects.toThrow(
      "there is no node 'R9' in the lab. Known nodes: PC, R1, R2, R3.",
    );
  });

  it('asks for the id where nodes share a name, and takes it', async () => {
    await expect(details('PC')).rejects.toThrow(
      "2 nodes are named 'PC'. Use one of their node ids: first (vpcs), second (qemu).",
    );
    expect(await details('second')).toMatchObject({ name: 'PC', type: 'qemu', links: [] });
  });
});
