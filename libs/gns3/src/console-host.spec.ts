import { describe, expect, it } from '@jest/globals';
import { consoleHost, needsComputes } from './console-host';
import type { Gns3Node } from './schemas';

function node(fields: Partial<Gns3Node>): Gns3Node {
  return { node_id: 'n', name: 'R1', node_type: 'qemu', ...fields };
}

describe('console host', () => {
  it('is the address of the node where that is a real one', () => {
    expect(consoleHost(node({ console_host: '10.0.0.5' }), 'lab', [])).toBe('10.0.0.5');
  });

  it.each(['0.0.0.0', '::', '127.0.0.1', '::1', 'localhost', '', null, undefined])(
    'is the server where the node says %s',
    (console_host) => {
      expect(consoleHost(node({ console_host }), 'lab.example', [])).toBe('lab.example');
    },
  );

  it('is the compute for a node that runs on another machine', () => {
    const remote = node({ console_host: '0.0.0.0', compute_id: 'c2' });
    expect(needsComputes(remote)).toBe(true);
    expect(consoleHost(remote, 'lab', [{ compute_id: 'c2', host: '10.0.0.9' }])).toBe('10.0.0.9');
    expect(consoleHost(remote, 'lab', [])).toBe('lab');
    expect(needsComputes(node({ console_host: '0.0.0.0', compute_id: 'local' }))).toBe(false);
  });

  it('writes an IPv6 server without brackets, as sockets want it', () => {
    expect(consoleHost(node({ console_host: '::' }), '[fd00::1]', [])).toBe('fd00::1');
  });
});
