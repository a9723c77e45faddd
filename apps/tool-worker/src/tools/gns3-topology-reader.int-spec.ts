import { describe, expect, it } from '@jest/globals';
import { gns3TopologyReader } from './gns3-topology-reader';
import { labs, router } from './testing/device-scenes';
import { PROJECT_ID } from './testing/fake-lab';

const start = labs();

describe('topology reader', () => {
  it('gives the lab as a list of nodes, without addresses of consoles', async () => {
    const running = await start(router('R1'));
    const result = await gns3TopologyReader({}, running.context());
    expect(result).toMatchObject({ project_id: PROJECT_ID, name: 'lab', status: 'opened', links: [] });
    expect(result.nodes).toEqual([
      expect.objectContaining({
        name: 'R1',
        type: 'dynamips',
        status: 'started',
        device_type: 'cisco_ios_telnet',
      }),
    ]);
    expect(JSON.stringify(result)).not.toContain('127.0.0.1');
  });
});
