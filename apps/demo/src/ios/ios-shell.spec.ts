import { beforeEach, describe, expect, it } from '@jest/globals';
import { Desk } from '../testing/desk';

describe('the console of a router', () => {
  let desk: Desk;

  beforeEach(() => {
    desk = new Desk();
  });

  it('stays silent until Enter, then shows the user prompt', async () => {
    desk.type('R1', 'abc');
    expect(desk.screen('R1')).toBe('');
    expect(await desk.press('R1', '\r', />$/)).toBe('\nR1>');
  });

  it('echoes what is typed, rubs out on backspace, and forgets the line on Ctrl-U', async () => {
    await desk.ask('R1', '');
    const screen = await desk.press('R1', 'shox\bw\x15enable\r', /#$/);
    expect(screen).toBe('shox\b \bw\b \b\b \b\b \b\b \benable\nR1#');
  });

  it('has no running configuration to show in user mode', async () => {
    await desk.ask('R1', '');
    expect(await desk.ask('R1', 'show running-config')).toBe(
      [
        'show running-config',
        `${' '.repeat(3 + 5)}^`,
        "% Invalid input detected at '^' marker.",
        '',
        'R1>',
      ].join('\n'),
    );
  });

  it('puts the caret under the fault even behind a long prompt', async () => {
    await desk.configureOnly('R1', 'interface g0/0');
    const output = await desk.ask('R1', 'ip addres foo');
    expect(output.split('\n')[1]).toBe(`${' '.repeat('R1(config-if)#'.length + 'ip addres '.length)}^`);
  });

  it('pages long output, one page a space, and leaves no residue behind', async () => {
    await desk.ask('R1', '');
    await desk.ask('R1', 'enable');
    const first = await desk.press('R1', 'show running-config\r', / --More-- $/);
    expect(first.trimEnd().split('\n')).toHaveLength(1 + 23 + 1);
    const second = await desk.press('R1', ' ', /R1#$/);
    expect(second.startsWith(`${'\b'.repeat(9)}${' '.repeat(8)}${'\b'.repeat(9)}`)).toBe(true);
    expect(second).toContain('line vty 0 4');
  });

  it('does not page after terminal length 0', async () => {
    await desk.enable('R1');
    expect(await desk.ask('R1', 'show running-config')).not.toContain('More');
  });

  it('changes the prompt with the hostname, and cuts long names in configuration mode only', async () => {
    await desk.enable('R1');
    await desk.ask('R1', 'configure terminal');
    expect(await desk.ask('R1', 'hostname A-NAME-OF-26-LETTERS-LONG')).toMatch(
      /A-NAME-OF-26-LETTERS\(config\)#$/,
    );
    expect(await desk.press('R1', '\x1a', /CONFIG_I.*\n.*$/)).toMatch(/A-NAME-OF-26-LETTERS-LONG#$/);
  });

  it('takes a global line inside a sub-mode and leaves the sub-mode for it', async () => {
    await desk.configureOnly('R1', 'interface g0/0');
    expect(await desk.ask('R1', 'hostname EDGE-1')).toMatch(/\nEDGE-1\(config\)#$/);
  });

  it('runs exec commands behind do', async () => {
    await desk.configureOnly('R1', 'interface g0/0');
    expect(await desk.ask('R1', 'do sh ip int br')).toContain('GigabitEthernet0/1         192.168.1.1');
  });

  it('asks for the name of the file to copy to, and Enter is enough', async () => {
    await desk.configure('R1', 'interface g0/3', 'description spare');
    await desk.ask('R1', 'copy running-config startup-config', /Destination filename \[startup-config\]\? $/);
    expect(await desk.ask('R1', '')).toContain('[OK]');
    expect(await desk.ask('R1', 'show startup-config')).toContain('description spare');
  });

  it('asks before a reload, and a reload forgets what was not saved', async () => {
    await desk.configure('R1', 'hostname CHANGED');
    await desk.ask('R1', 'reload', /Save\? \[yes\/no\]: $/);
    await desk.ask('R1', 'no', /Proceed with reload\? \[confirm\]$/);
    await desk.press('R1', '\r', /Press RETURN to get started/);
    expect(await desk.ask('R1', '', /R1>$/)).toMatch(/R1>$/);
  });

  it('does not reload when the question is answered otherwise', async () => {
    await desk.enable('R1');
    await desk.ask('R1', 'reload', /Proceed with reload\? \[confirm\]$/);
    expect(await desk.press('R1', 'n', /R1#$/)).toBe('\nR1#');
  });

  it('asks for the enable secret and gives up after three wrong ones', async () => {
    await desk.configure('R1', 'enable secret pa55');
    await desk.ask('R1', 'disable');
    await desk.ask('R1', 'enable', /Password: $/);
    await desk.ask('R1', 'wrong', /Password: $/);
    await desk.ask('R1', 'wrong', /Password: $/);
    expect(await desk.ask('R1', 'wrong')).toContain('% Bad secrets');
    await desk.ask('R1', 'enable', /Password: $/);
    expect(await desk.ask('R1', 'pa55', /R1#$/)).not.toContain('pa55');
    expect(await desk.ask('R1', 'show running-config | include secret')).not.toContain('pa55');
  });

  it.each([
    ['| include hostname', 'hostname R1'],
    ['| section line con', ' logging synchronous'],
    ['| count interface', 'Number of lines which match regexp = 5'],
  ])('filters output by %j', async (pipe, line) => {
    await desk.enable('R1');
    expect((await desk.ask('R1', `show running-config ${pipe}`)).split('\n')).toContain(line);
  });

  it('lists commands at a question mark and keeps what was typed', async () => {
    await desk.enable('R1');
    expect(await desk.press('R1', 'show ip ?', /R1#show ip $/)).toContain('  route');
  });

  it('records each complete line with its mode, and no half-typed one', async () => {
    await desk.configure('R1', 'interface g0/0');
    desk.type('R1', 'show ver');
    expect(desk.lab.commands.list().map(({ node, line, mode }) => `${node} ${mode} ${line}`)).toEqual([
      'R1 user enable',
      'R1 exec terminal length 0',
      'R1 exec configure terminal',
      'R1 config interface g0/0',
      'R1 config-if end',
    ]);
  });

  it('keeps the saved configuration over a stop and a start, and wakes up anew', async () => {
    await desk.configure('R1', 'interface g0/3', 'description kept');
    await desk.ask('R1', 'write memory');
    desk.lab.powerOff('R1');
    desk.lab.powerOn('R1');
    await desk.enable('R1');
    expect(await desk.ask('R1', 'show running-config')).toContain('description kept');
    expect(desk.faults).toEqual([]);
  });
});
