import { describe, expect, it } from '@jest/globals';
import type { FakeIo } from '../consoles/testing/fake-console';
import { executeVpcsCommands } from './execute-vpcs-commands';
import { bound, labs, router, show } from './testing/device-scenes';
import { type FakeNode } from './testing/fake-lab';

const start = labs();

describe('VPCS commands', () => {
  function pc(answers: Record<string, string>): FakeNode {
    const line = (text: string, io: FakeIo) => io.write(`\r\n${answers[text] ?? ''}\r\nPC1> `);
    const device = { line, enterAtChunkStart: true };
    return { name: 'PC1', node_type: 'vpcs', tags: ['device_type:gns3_vpcs_telnet'], device };
  }

  it('runs the commands and gives their output', async () => {
    const { context } = bound(
      await start(pc({ 'ip 10.0.0.1/24 10.0.0.254': 'PC1 : 10.0.0.1 255.255.255.0\r\n' })),
    );
    const [result] = await executeVpcsCommands(
      { device_configs: [show('PC1', 'ip 10.0.0.1/24 10.0.0.254', 'save')] },
      context(),
    );
    expect(result).toEqual({
      device_name: 'PC1',
      status: 'success',
      output: 'PC1>ip 10.0.0.1/24 10.0.0.254\nPC1 : 10.0.0.1 255.255.255.0\n\nPC1>save',
      commands: ['ip 10.0.0.1/24 10.0.0.254', 'save'],
    });
  });

  it('G27: never lets a command reach the machine of the lab server', async () => {
    const { context, received } = bound(await start(pc({})));
    const [result] = await executeVpcsCommands(
      { device_configs: [show('PC1', '!id', 'rlogin 10.0.0.1 22', 'trace 10.0.0.1', 'show ip\n! id')] },
      context(),
    );
    expect(result).toMatchObject({ status: 'error', commands: ['show ip'] });
    expect(result?.blocked_commands).toEqual(['!id', 'rlogin 10.0.0.1 22', 'trace 10.0.0.1', '! id']);
    expect(received('PC1')).toEqual(['show ip']);
  });

  it('G17: names a refused command and is no success', async () => {
    const { context } = bound(await start(pc({ 'ip 10.0.0.1/24 1.1.1.1': 'not same subnet\r\n' })));
    const [result] = await executeVpcsCommands(
      { device_configs: [show('PC1', 'ip 10.0.0.1/24 1.1.1.1')] },
      context(),
    );
    expect(result).toMatchObject({
      status: 'error',
      error: "Line 1 'ip 10.0.0.1/24 1.1.1.1' was refused: not same subnet",
    });
  });

  it('sends a router no VPCS commands', async () => {
    const { context, received } = bound(await start(router('R1')));
    const [result] = await executeVpcsCommands({ device_configs: [show('R1', 'ip 10.0.0.1')] }, context());
    expect(result).toMatchObject({ status: 'error', error: expect.stringContaining('is not a VPCS') });
    expect(received('R1')).toEqual([]);
  });
});
