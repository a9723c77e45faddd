import { describe, expect, it } from '@jest/globals';
import { ciscoIos } from './drivers/cisco-ios';
import { huaweiVrp } from './drivers/huawei-vrp';
import type { FakeIo } from './testing/fake-console';
import { FakeIos } from './testing/fake-ios';
import { withSession } from './testing/open-session';

const RUN = { timeoutMs: 3_000, signal: new AbortController().signal, confirm: false };
const CHANGE = { ...RUN, confirm: true };

/** Writes pages with a pager that erases itself, and serves the keys. */
class Pager {
  #left: string[] = [];
  #waiting = false;

  constructor(
    private readonly mark: string,
    private readonly erase: string,
    private readonly prompt: string,
  ) {}

  start(io: FakeIo, pages: readonly string[]): void {
    this.#left = [...pages];
    this.page(io);
  }

  key(char: string, io: FakeIo): boolean {
    if (!this.#waiting) return false;
    this.#waiting = false;
    io.write(this.erase);
    if (char === 'q') this.#left = [];
    this.page(io);
    return true;
  }

  private page(io: FakeIo): void {
    const page = this.#left.shift();
    if (page === undefined) {
      io.write(this.prompt);
      return;
    }
    io.write(page);
    this.#waiting = this.#left.length > 0;
    io.write(this.#waiting ? this.mark : this.prompt);
  }
}

describe('command run: output', () => {
  it('G5: follows a pager that erases itself with backspaces and leaves no residue', async () => {
    const pager = new Pager(' --More-- ', '\b \b'.repeat(9), 'R1#');
    const ios = new FakeIos({
      answers: { 'show run': (io) => pager.start(io, ['line 1\r\nline 2\r\n', 'line 3\r\n', 'line 4\r\n']) },
    });
    const device = { key: (char: string, io: FakeIo) => pager.key(char, io), line: ios.line.bind(ios) };
    await withSession(device, {}, async ({ session }) => {
      expect(await session.run('show run', RUN)).toMatchObject({
        end: 'prompt',
        output: 'line 1\nline 2\nline 3\nline 4',
      });
    });
  });

  it('G5: follows the Huawei pager that is erased by moving the cursor', async () => {
    const pager = new Pager('  ---- More ----', `\x1b[42D${' '.repeat(42)}\x1b[42D`, '<HW>');
    const device = {
      key: (char: string, io: FakeIo) => pager.key(char, io),
      line: (line: string, io: FakeIo) => {
        io.write('\r\n');
        if (line === 'display version') pager.start(io, ['VRP 8.180\r\n', 'Uptime 1 day\r\n']);
        else io.write('<HW>');
      },
    };
    await withSession(device, { driver: huaweiVrp }, async ({ session }) => {
      expect((await session.run('display version', RUN)).output).toBe('VRP 8.180\nUptime 1 day');
    });
  });

  it('G6: pages through the output where the device refuses to turn its pager off', async () => {
    const pager = new Pager(' --More-- ', '\r          \r', 'R1>');
    const ios = new FakeIos({
      level: '>',
      refused: ['terminal length 0', 'terminal width 511'],
      answers: { 'show ip route': (io) => pager.start(io, ['C 10.0.0.0/24\r\n', 'C 10.0.1.0/24\r\n']) },
    });
    const device = { key: (char: string, io: FakeIo) => pager.key(char, io), line: ios.line.bind(ios) };
    await withSession(device, {}, async ({ session }) => {
      await session.setUp(RUN);
      const { output, refusal } = await session.run('show ip route', RUN);
      expect(output).toBe('C 10.0.0.0/24\nC 10.0.1.0/24');
      expect(refusal).toBeUndefined();
    });
  });

  it('G8: is not ended by a # at the end of a line, nor by a pause after it', async () => {
    const ios = new FakeIos({
      answers: {
        'show run': (io) => {
          io.write('interface Gi0/0\r\n description uplink#');
          io.later(200, '\r\n!### core #');
          io.later(400, '\r\nR2#\r\nend\r\nR1#');
        },
      },
    });
    await withSession(ios, {}, async ({ session }) => {
      expect((await session.run('show run', RUN)).output).toBe(
        'interface Gi0/0\n description uplink#\n!### core #\nR2#\nend',
      );
    });
  });

  it('G24: replaces bytes that are not UTF-8 and keeps the rest', async () => {
    const ios = new FakeIos({
      answers: {
        'show logging': (io) => {
          io.write('before ');
          io.writeBytes(0xf9);
          io.write(' after é\r\nR1#');
        },
      },
    });
    await withSession(ios, {}, async ({ session }) => {
      expect((await session.run('show logging', RUN)).output).toBe('before � after é');
    });
  });

  it('G26: waits through a pause in the middle of a table', async () => {
    const ios = new FakeIos({
      answers: {
        'show table': (io) => {
          io.write('row 1\r\n');
          io.later(1_000, 'row 2\r\nR1#');
        },
      },
    });
    await withSession(ios, {}, async ({ session }) => {
      expect((await session.run('show table', RUN)).output).toBe('row 1\nrow 2');
    });
  });

  it('G26: says that output is incomplete when the prompt does not come in time, and gets the prompt back', async () => {
    const ios = new FakeIos({ answers: { 'show slow': (io) => io.write('row 1\r\n') } });
    const device = {
      key: (char: string, io: FakeIo) => {
        if (char === '\x03') io.write('^C\r\nR1#');
        return char < ' ' && char !== '\r';
      },
      line: ios.line.bind(ios),
    };
    await withSession(device, {}, async ({ session }) => {
      expect(await session.run('show slow', { ...RUN, timeoutMs: 500 })).toMatchObject({
        end: 'timeout',
        output: 'row 1',
      });
      expect(session.ready).toBe(true);
    });
  });

  it('keeps log messages that come between the prompt and the echo, and still finds the echo', async () => {
    const ios = new FakeIos({ answers: { 'show clock': '12:00:00 UTC\r\n' } });
    let noisy = false;
    const device = {
      key: (char: string, io: FakeIo) => {
        if (char === 's' && !noisy) {
          noisy = true;
          io.write('\r\n*Mar  1 00:00:01: %LINK-3-UPDOWN: Interface Gi0/0, changed state to up\r\n');
        }
        return false;
      },
      line: ios.line.bind(ios),
    };
    await withSession(device, {}, async ({ session }) => {
      const { output } = await session.run('show clock', RUN);
      expect(output).toContain('12:00:00 UTC');
      expect(output).toContain('%LINK-3-UPDOWN');
      expect(output).not.toContain('show clock');
    });
  });
});

describe('command run: prompts and questions', () => {
  const LOGGED_OUT = '\r\n\r\nR1 con0 is now available\r\n\r\nPress RETURN to get started.\r\n';

  it('G25: types no command into a login that appears between two commands', async () => {
    const ios = new FakeIos();
    let loggedOut = false;
    const device = {
      line: (line: string, io: FakeIo) => (loggedOut ? io.write('\r\n\r\nUsername: ') : ios.line(line, io)),
    };
    await withSession(device, {}, async ({ console, session }) => {
      loggedOut = true;
      await console.say(LOGGED_OUT);
      await expect(session.run('show version', RUN)).rejects.toMatchObject({ code: 'login_required' });
      expect(console.received).not.toContain('show version');
    });
  });

  it('G25: ends a command at once where a login appears, and types nothing into it', async () => {
    const ios = new FakeIos({ answers: { 'show clock': (io) => io.write(`${LOGGED_OUT}\r\nUsername: `) } });
    await withSession(ios, {}, async ({ console, session }) => {
      expect(await session.run('show clock', RUN)).toMatchObject({ end: 'login' });
      expect(session.ready).toBe(false);
      expect(console.received).toMatch(/show clock\r$/);
    });
  });

  it('G16: leaves an enable password question without typing into it, and says so', async () => {
    const ios = new FakeIos({ level: '>', host: 'AS' });
    let asked = 0;
    const device = {
      line: (line: string, io: FakeIo) => {
        if (line === 'enable' && asked === 0) {
          asked = 1;
          io.write('\r\nPassword: ');
        } else if (asked > 0 && asked < 3) {
          asked += 1;
          io.write(asked === 3 ? '\r\n% Bad secrets\r\n\r\nAS>' : '\r\nPassword: ');
        } else ios.line(line, io);
      },
    };
    await withSession(device, {}, async ({ console, session }) => {
      expect(await session.enable(RUN)).toMatch(/asked "Password:"; no password was typed/);
      expect(session.mode).toBe('user');
      expect(console.lines.filter((line) => line !== '')).toEqual(['enable']);
    });
  });

  it('G16: gives the words of a device that has no enable password set', async () => {
    const ios = new FakeIos({ level: '>', enable: (io) => io.write('% No password set\r\nR1>') });
    await withSession(ios, {}, async ({ session }) => {
      expect(await session.enable(RUN)).toBe('% No password set');
    });
  });

  it('G21: follows the prompt to a new host name', async () => {
    const ios = new FakeIos({ level: '#' });
    await withSession(ios, {}, async ({ session }) => {
      const ends = [];
      for (const line of ['configure terminal', 'hostname EDGE-1', 'interface Gi0/0', 'end']) {
        ends.push((await session.run(line, CHANGE)).end);
      }
      expect(ends).toEqual(['prompt', 'prompt', 'prompt', 'prompt']);
      expect(session.mode).toBe('exec');
    });
  });

  it('G22: knows a long host name that configuration mode shortens', async () => {
    const ios = new FakeIos({ host: 'R-with-a-name-of-30-characters' });
    await withSession(ios, {}, async ({ session }) => {
      expect(await session.run('configure terminal', CHANGE)).toMatchObject({ end: 'prompt' });
      expect(session.mode).toBe('config');
      expect(await session.run('end', CHANGE)).toMatchObject({
        promptLine: 'R-with-a-name-of-30-(config)#',
        end: 'prompt',
      });
      expect(session.mode).toBe('exec');
    });
  });

  it('G23: takes the default file name when a configuration is copied', async () => {
    const ios = new FakeIos();
    let asked = false;
    const device = {
      line: (line: string, io: FakeIo) => {
        if (line === 'copy running-config startup-config') {
          asked = true;
          io.write('\r\nDestination filename [startup-config]? ');
        } else if (asked) {
          asked = false;
          io.write('\r\nBuilding configuration...\r\n[OK]\r\nR1#');
        } else ios.line(line, io);
      },
    };
    await withSession(device, {}, async ({ session }) => {
      const outcome = await session.run('copy running-config startup-config', CHANGE);
      expect(outcome).toMatchObject({ end: 'prompt', output: expect.stringContaining('[OK]') });
      expect(outcome.refusal).toBeUndefined();
    });
  });

  it('G23: never confirms a reload, also where questions are confirmed', async () => {
    const ios = new FakeIos();
    let asked = false;
    const device = {
      key: (char: string, io: FakeIo) => {
        if (!asked) return false;
        asked = false;
        io.write(`${char}\r\nR1#`);
        return true;
      },
      line: (line: string, io: FakeIo) => {
        if (line === 'reload') {
          asked = true;
          io.write('\r\nProceed with reload? [confirm]');
        } else ios.line(line, io);
      },
    };
    await withSession(device, {}, async ({ console, session }) => {
      const { refusal } = await session.run('reload', CHANGE);
      expect(refusal).toContain('Proceed with reload? [confirm]');
      expect(console.received).toMatch(/reload\rn/);
    });
  });

  it('an abort stops the command and leaves the device at its prompt', async () => {
    const abort = new AbortController();
    const ios = new FakeIos({
      answers: {
        'ping 10.0.0.1': (io) => {
          io.write('.....');
          abort.abort();
        },
      },
    });
    const device = {
      key: (char: string, io: FakeIo) => {
        if (char === '\x1e') io.write('\r\nSuccess rate is 0 percent (0/5)\r\nR1#');
        return char < ' ' && char !== '\r';
      },
      line: ios.line.bind(ios),
    };
    await withSession(device, { driver: ciscoIos }, async ({ session }) => {
      expect(await session.run('ping 10.0.0.1', { ...RUN, signal: abort.signal })).toMatchObject({
        end: 'aborted',
      });
      expect(session.ready).toBe(true);
    });
  });
});

describe('command run: Huawei', () => {
  /** Prompts as VRP writes them: user view, system view, interface view, and marks of a candidate. */
  function vrp(prompts: Record<string, string>, first: string) {
    let prompt = first;
    return {
      line: (line: string, io: FakeIo) => {
        prompt = prompts[line] ?? prompt;
        io.write(`\r\n${prompt}`);
      },
    };
  }

  it('G12: follows every view and sees what is not committed', async () => {
    const device = vrp(
      {
        'system-view': '[~HW]',
        'interface GigabitEthernet0/0/1': '[~HW-GigabitEthernet0/0/1]',
        'ip address 10.0.0.1 24': '[*HW-GigabitEthernet0/0/1]',
        commit: '[~HW-GigabitEthernet0/0/1]',
        return: '<HW>',
      },
      '<HW>',
    );
    await withSession(device, { driver: huaweiVrp }, async ({ session }) => {
      await session.run('system-view', CHANGE);
      await session.run('interface GigabitEthernet0/0/1', CHANGE);
      expect(session.uncommitted).toBe(false);
      await session.run('ip address 10.0.0.1 24', CHANGE);
      expect(session.uncommitted).toBe(true);
      await session.run('commit', CHANGE);
      expect(session.uncommitted).toBe(false);
      await session.leaveConfig();
      expect(session.mode).toBe('exec');
    });
  });

  it('G12: leaves a view that someone left open', async () => {
    const device = vrp({ return: '<HW>' }, '[HW-GigabitEthernet0/0/1]');
    await withSession(device, { driver: huaweiVrp }, async ({ session }) => {
      expect(session.mode).toBe('exec');
    });
  });

  it('G12: answers yes when saving asks', async () => {
    let asked = false;
    const device = {
      line: (line: string, io: FakeIo) => {
        if (line === 'save') {
          asked = true;
          io.write(
            '\r\nWarning: The current configuration will be written to the device.\r\nContinue? [Y/N]:',
          );
        } else if (asked) {
          asked = false;
          io.write(line === 'y' ? '\r\nInfo: Save the configuration successfully.\r\n<HW>' : '\r\n<HW>');
        } else io.write('\r\n<HW>');
      },
    };
    await withSession(device, { driver: huaweiVrp }, async ({ session }) => {
      expect((await session.run('save', CHANGE)).output).toContain('successfully');
    });
  });
});
