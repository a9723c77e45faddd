import { describe, expect, it } from '@jest/globals';
import type { FakeIo } from '../consoles/testing/fake-console';
import { FakeIos } from '../consoles/testing/fake-ios';
import { executeDeviceConfigCommands } from './execute-device-config-commands';
import { bound, config, labs, router } from './testing/device-scenes';

const start = labs();

describe('configuration', () => {
  it('applies the lines in configuration mode and leaves the device outside it', async () => {
    const { context, received } = bound(await start(router('R1', { level: '>' })));
    const device_configs = [
      config('R1', 'configure terminal', 'interface Gi0/0', 'exit', 'hostname EDGE-1', 'end'),
    ];
    const [result] = await executeDeviceConfigCommands({ device_configs }, context());
    expect(result).toMatchObject({ status: 'success' });
    expect(result?.output).toBe(
      [
        'R1(config)#interface Gi0/0',
        'R1(config-if)#exit',
        'R1(config)#hostname EDGE-1',
        'EDGE-1(config)#end',
      ].join('\n'),
    );
    expect(received('R1')).toEqual([
      ...['enable', 'terminal length 0', 'terminal width 511', 'configure terminal'],
      ...['interface Gi0/0', 'exit', 'hostname EDGE-1', 'end'],
    ]);
  });

  it('G17: stops at the third of five lines, names it, and says what was applied and what was not sent', async () => {
    const { context, received } = bound(await start(router('R1', { refused: ['ip adress 10.0.0.1'] })));
    const lines = ['interface Gi0/0', 'description core', 'ip adress 10.0.0.1', 'no shutdown', 'exit'];
    const [result] = await executeDeviceConfigCommands(
      { device_configs: [config('R1', ...lines)] },
      context(),
    );
    expect(result).toMatchObject({
      status: 'partial_success',
      config_commands: lines.slice(0, 3),
      error:
        "Line 3 'ip adress 10.0.0.1' was refused: % Invalid input detected at '^' marker. Applied before it: 2 of 5 lines. Not sent: 'no shutdown', 'exit'.",
    });
    expect(received('R1')).not.toContain('no shutdown');
    expect(received('R1').at(-1)).toBe('end');
  });

  it('G16: configures nothing where enable is refused, and gives the words of the device', async () => {
    const enable = (io: FakeIo) => io.write('% No password set\r\nR1>');
    const { context, received } = bound(await start(router('R1', { level: '>', enable })));
    const [result] = await executeDeviceConfigCommands(
      { device_configs: [config('R1', 'interface Gi0/0')] },
      context(),
    );
    expect(result).toMatchObject({ status: 'failed', error: expect.stringContaining('% No password set') });
    expect(received('R1')).toEqual(['enable']);
  });

  it('G27: blocks what is forbidden or disruptive after splitting lines, and applies the rest', async () => {
    const { context, received } = bound(await start(router('R1')));
    const lines = ['interface Gi0/0\ndo reload', 'do trac 10.0.0.1', 'do wr er', 'no shutdown'];
    const [result] = await executeDeviceConfigCommands(
      { device_configs: [config('R1', ...lines)] },
      context(),
    );
    expect(result).toMatchObject({
      status: 'partial_success',
      config_commands: ['interface Gi0/0', 'no shutdown'],
      blocked_commands: ['do reload', 'do trac 10.0.0.1', 'do wr er'],
    });
    expect(received('R1').filter((line) => line.startsWith('do'))).toEqual([]);
  });

  it('types a banner of several lines as one command', async () => {
    const ios = new FakeIos();
    let inBanner = false;
    const device = {
      line: (line: string, io: FakeIo) => {
        if (inBanner) {
          inBanner = !line.includes('#');
          return io.write(inBanner ? '\r\n' : `\r\n${ios.prompt}`);
        }
        if (line !== 'banner motd #') return ios.line(line, io);
        inBanner = true;
        io.write("\r\nEnter TEXT message.  End with the character '#'.\r\n");
      },
    };
    const { context, received } = bound(await start({ name: 'R1', device }));
    const device_configs = [config('R1', 'banner motd #\nLab only\nKeep out #', 'interface Gi0/0')];
    const [result] = await executeDeviceConfigCommands({ device_configs }, context());
    expect(result?.status).toBe('success');
    expect(received('R1').slice(-5)).toEqual([
      'banner motd #',
      'Lab only',
      'Keep out #',
      'interface Gi0/0',
      'end',
    ]);
  });

  it('says that the outcome is unknown, and how to check, where the prompt does not come back', async () => {
    const device = new FakeIos({ answers: { 'router ospf 1': () => undefined } });
    const { context, received } = bound(await start({ name: 'R1', device }));
    const device_configs = [
      config('R1', 'interface Gi0/0', 'router ospf 1', 'network 10.0.0.0 0.0.0.255 area 0'),
    ];
    const [result] = await executeDeviceConfigCommands(
      { device_configs },
      context({ commandTimeoutMs: 400 }),
    );
    expect(result).toMatchObject({ status: 'partial_success' });
    expect(result?.error).toContain("Line 2 'router ospf 1' did not end within 0.4 s");
    expect(result?.error).toContain('outcome is unknown: read the state of the device (show running-config)');
    expect(result?.error).toContain("Not sent: 'network 10.0.0.0 0.0.0.255 area 0'");
    expect(received('R1')).not.toContain('network 10.0.0.0 0.0.0.255 area 0');
  });

  it('says what was sent where the call is stopped', async () => {
    const abort = new AbortController();
    const device = new FakeIos({ answers: { 'router ospf 1': () => abort.abort(new Error('cancelled')) } });
    const { context } = bound(await start({ name: 'R1', device }));
    const [result] = await executeDeviceConfigCommands(
      { device_configs: [config('R1', 'router ospf 1', 'exit')] },
      context({ signal: abort.signal }),
    );
    expect(result).toMatchObject({ status: 'failed', config_commands: ['router ospf 1'] });
    expect(result?.error).toContain("Line 1 'router ospf 1' was sent and then the call was stopped");
  });

  it('sends a VPCS no configuration', async () => {
    const running = await start({
      name: 'PC1',
      node_type: 'vpcs',
      console: 5000,
      tags: ['device_type:gns3_vpcs_telnet'],
    });
    const [result] = await executeDeviceConfigCommands(
      { device_configs: [config('PC1', 'ip 10.0.0.1')] },
      running.context(),
    );
    expect(result?.error).toContain('Use execute_vpcs_commands');
  });
});

describe('configuration of a device with a candidate', () => {
  function huawei(refused?: string) {
    let view = '<HW>';
    const views: Record<string, string> = {
      'system-view': '[~HW]',
      'interface GE1/0/0': '[*HW-GE1/0/0]',
      'clear configuration candidate': '[~HW]',
      commit: '[~HW]',
      return: '<HW>',
    };
    const line = (text: string, io: FakeIo) => {
      view = views[text] ?? view;
      io.write(
        `\r\n${text === refused ? "Error: Unrecognized command found at '^' position.\r\n" : ''}${view}`,
      );
    };
    return { name: 'HW', device: { line }, tags: ['device_type:gns3_huawei_telnet_ce'] };
  }

  it('G12: commits what was entered', async () => {
    const { context, received } = bound(await start(huawei()));
    const [result] = await executeDeviceConfigCommands(
      { device_configs: [config('HW', 'interface GE1/0/0')] },
      context(),
    );
    expect(result?.status).toBe('success');
    expect(received('HW').slice(-3)).toEqual(['interface GE1/0/0', 'commit', 'return']);
  });

  it('G12: throws a half-entered configuration away and says that nothing is in force', async () => {
    const { context, received } = bound(await start(huawei('ip adress')));
    const [result] = await executeDeviceConfigCommands(
      { device_configs: [config('HW', 'interface GE1/0/0', 'ip adress', 'undo shutdown')] },
      context(),
    );
    expect(result).toMatchObject({ status: 'failed', error: expect.stringContaining('nothing is in force') });
    expect(received('HW')).not.toContain('commit');
  });
});
