import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { startDemo, type Demo } from './demo';
import { DemoClient } from './testing/demo-client';
import { QUICK } from './testing/quick-config';
import { askWithTools } from './testing/tool-loop';

const TOPOLOGY = [
  '- R1 | qemu | started | telnet | cisco_ios_telnet | GigabitEthernet0/0, GigabitEthernet0/1 | Gi0/2, Gi0/3',
  '- R2 | qemu | started | telnet | cisco_ios_telnet | GigabitEthernet0/0, GigabitEthernet0/1 | Gi0/2, Gi0/3',
  '- SW1 | ethernet_switch | started | none | - | Ethernet0, Ethernet1 | e2',
  '- PC1 | vpcs | started | telnet | gns3_vpcs_telnet | Ethernet0 | -',
  '- PC2 | vpcs | started | telnet | gns3_vpcs_telnet | Ethernet0 | -',
  '- R1 GigabitEthernet0/0 <-> R2 GigabitEthernet0/0',
  '- R1 GigabitEthernet0/1 <-> SW1 Ethernet0',
].join('\n');

describe('the demo lab behind the demo model', () => {
  let demo: Demo;
  let client: DemoClient;

  beforeAll(async () => {
    demo = await startDemo(QUICK, pino({ level: 'silent' }));
    client = await DemoClient.login(demo);
  });

  afterAll(async () => demo.close());

  it('configures an address on R1 by tool calls, and the ping to R2 works afterwards', async () => {
    const result = await askWithTools(client, TOPOLOGY, 'Configure 10.0.12.1/30 on R1, then ping 10.0.12.2');

    expect(result.rounds).toEqual([
      ['execute_multiple_device_commands'],
      ['execute_multiple_device_config_commands'],
      ['execute_multiple_device_commands'],
    ]);
    expect(result.texts[0]).toContain('I am the demo model: a rule-driven stand-in, not an AI');
    expect(result.answer).toContain('R1 GigabitEthernet0/0 now has 10.0.12.1/30 and is up/up');
    expect(result.answer).toContain('R1 reaches 10.0.12.2');

    const console = await client.openConsole('R1');
    await console.ask('', /R1#$/);
    const running = await console.ask('show running-config interface g0/0', /end\n\nR1#$/);
    expect(running).toContain('ip address 10.0.12.1 255.255.255.252');
    console.close();
  });

  it('gives PC2 an address that PC2 then shows', async () => {
    const result = await askWithTools(client, TOPOLOGY, '给 PC2 配置 192.168.2.10/24 网关 192.168.2.1');

    expect(result.answer).toContain('PC2 的地址现在是 192.168.2.10/24');
    expect(result.answer).toContain('84 bytes from 192.168.2.1');
  });

  it('configures OSPF on all routers when asked in Chinese, one call a router in one turn, and finds neighbours', async () => {
    const result = await askWithTools(client, TOPOLOGY, '配置所有路由器的 OSPF');

    expect(result.rounds[1]).toEqual([
      'execute_multiple_device_config_commands',
      'execute_multiple_device_config_commands',
    ]);
    expect(result.answer).toContain('| R1 | 2.2.2.2 (FULL) | 2 |');
    expect(result.answer).toContain('每台路由器都有邻居');
  });

  it('carries a ping between the PCs over the routes that OSPF learned', async () => {
    const result = await askWithTools(client, TOPOLOGY, 'Ping PC2 from PC1');

    expect(result.answer).toContain('PC1 reaches 192.168.2.10');
  });

  it('counts every command line that a console received, once', async () => {
    await client.fetch('/demo/commands', 'DELETE');
    const console = await client.openConsole('R2');
    await console.ask('', /R2[>#]$/);
    await console.ask('show clock', /UTC[^\n]*\nR2[>#]$/);
    console.close();

    expect(await client.get('/demo/commands')).toEqual([
      { at: expect.any(String), node: 'R2', line: 'show clock', mode: expect.stringMatching(/user|exec/) },
    ]);
  });
});
