import { describe, expect, it } from '@jest/globals';
import { chooseDriver, SUPPORTED_DEVICE_TYPES } from '.';
import { ciscoIos, iosConfigStep, iosHostAfter, iosRefusal } from './cisco-ios';
import { huaweiVrp } from './huawei-vrp';
import { ruijie } from './ruijie';
import { vpcs } from './vpcs';

describe('choice of a driver', () => {
  it.each([
    ['cisco_ios_telnet', ciscoIos],
    ['gns3_huawei_telnet_ce', huaweiVrp],
    ['huawei_telnet', huaweiVrp],
    ['gns3_ruijie_telnet', ruijie],
    ['gns3_vpcs_telnet', vpcs],
  ])('takes the driver that the tag %s names', (deviceType, driver) => {
    expect(chooseDriver(deviceType, 'qemu')).toEqual({ driver });
  });

  it('takes an untagged VPCS node for a VPCS, and any other for IOS with a warning', () => {
    expect(chooseDriver(undefined, 'vpcs')).toEqual({ driver: vpcs });
    expect(chooseDriver(undefined, 'qemu')).toMatchObject({
      driver: ciscoIos,
      warning: expect.stringContaining('device_type'),
    });
    expect(chooseDriver('acme_os', 'qemu')).toMatchObject({
      driver: ciscoIos,
      warning: expect.stringContaining('acme_os'),
    });
  });

  it('G13, G15: refuses vendors whose command line is another, and names the supported types', () => {
    for (const deviceType of ['juniper_junos_telnet', 'mikrotik_routeros', 'linux', 'cisco_nxos']) {
      const choice = chooseDriver(deviceType, 'qemu');
      expect(choice).toEqual({ error: expect.stringContaining(SUPPORTED_DEVICE_TYPES.join(', ')) });
    }
  });
});

describe('IOS', () => {
  it.each([
    ["% Invalid input detected at '^' marker.", 'exec'],
    ['% Incomplete command.', 'exec'],
    ['% Ambiguous command:  "s"', 'exec'],
    ['% 10.0.0.0 overlaps with GigabitEthernet0/1', 'config'],
    ['%OSPF: Router process 1 is not running', 'config'],
    ['Command rejected: An interface whose trunk encapsulation is "Auto"', 'config'],
  ] as const)('G17: sees %s as a refusal', (line, mode) => {
    expect(iosRefusal(['       ^', line], mode, 'line')).toBe(line);
  });

  it.each([
    ['% Subnet not in table', 'exec'],
    ['%SYS-5-CONFIG_I: Configured from console by console', 'config'],
    ['*Mar  1 00:00:01.003: %LINK-3-UPDOWN: Interface Gi0/0, changed state to up', 'config'],
    ['%Warning: portfast should only be enabled on ports connected to a single host.', 'config'],
    ['% Interface GigabitEthernet0/0 IPv4 disabled and address(es) removed due to enabling VRF', 'config'],
    ['% Generating 2048 bit RSA keys, keys will be non-exportable...', 'config'],
  ] as const)('does not see %s as a refusal', (line, mode) => {
    expect(iosRefusal([line], mode, 'line')).toBeUndefined();
  });

  it('takes a % line of a show command for its answer, also in configuration mode', () => {
    expect(iosRefusal(['% Subnet not in table'], 'config', 'do show ip route 10.9.9.9')).toBeUndefined();
    expect(iosRefusal(['% Incomplete command.'], 'config', 'do show')).toBe('% Incomplete command.');
  });

  it('skips what the tool does itself and saves without leaving the mode', () => {
    for (const line of ['configure terminal', 'conf t', 'config term', 'enable']) {
      expect(iosConfigStep(line)).toEqual({ kind: 'skip' });
    }
    expect(iosConfigStep('wr')).toEqual({ kind: 'config', text: 'do wr' });
    expect(iosConfigStep('copy running-config startup-config')).toEqual({
      kind: 'config',
      text: 'do copy running-config startup-config',
    });
    expect(iosConfigStep('no shutdown')).toEqual({ kind: 'config', text: 'no shutdown' });
  });

  it('G21: knows the host name that a command sets', () => {
    expect(iosHostAfter('hostname EDGE-1')).toBe('EDGE-1');
    expect(iosHostAfter('no hostname')).toBe('Router');
    expect(iosHostAfter('interface Gi0/0')).toBeUndefined();
  });
});

describe('Huawei', () => {
  it('G12: recognises every form of prompt', () => {
    expect(huaweiVrp.parsePrompt('<HW>')).toEqual({ host: 'HW', mode: 'exec' });
    expect(huaweiVrp.parsePrompt('[HW]')).toEqual({ host: 'HW', mode: 'config' });
    expect(huaweiVrp.parsePrompt('[~HW]')).toEqual({ host: 'HW', mode: 'config' });
    expect(huaweiVrp.parsePrompt('[*HW]')).toEqual({ host: 'HW', mode: 'config', uncommitted: true });
    expect(huaweiVrp.parsePrompt('HW>')).toBeUndefined();
  });

  it('saves in user view and enters no view twice', () => {
    expect(huaweiVrp.config?.step('save')).toEqual({ kind: 'exec', text: 'save' });
    expect(huaweiVrp.config?.step('system-view')).toEqual({ kind: 'skip' });
    expect(
      huaweiVrp.refusal(["Error: Unrecognized command found at '^' position."], 'config', 'x'),
    ).toContain('Error');
    expect(
      huaweiVrp.refusal(['Warning: The password is weak.', 'Info: done'], 'config', 'x'),
    ).toBeUndefined();
  });
});

describe('VPCS', () => {
  it('recognises the prompt of a renamed PC and of one of several', () => {
    expect(vpcs.parsePrompt('PC1>')).toEqual({ host: 'PC1', mode: 'exec' });
    expect(vpcs.parsePrompt('office-pc>')).toEqual({ host: 'office-pc', mode: 'exec' });
    expect(vpcs.parsePrompt('VPCS[1]>')).toEqual({ host: 'VPCS[1]', mode: 'exec' });
  });

  it.each([
    'Bad command: "foo". Use ? for help.',
    'not same subnet',
    '10.0.0.1 is being used by MAC 00:50:79:66:68:01',
  ])('G11: sees %s as a refusal', (line) => {
    expect(vpcs.refusal(['', line], 'exec', 'x')).toBe(line);
  });

  it('does not see the answer of a ping as a refusal', () => {
    expect(
      vpcs.refusal(['host (10.0.0.9) not reachable', '10.0.0.2 icmp_seq=1 timeout'], 'exec', 'x'),
    ).toBeUndefined();
  });
});
