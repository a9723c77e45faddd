import { describe, expect, it } from '@jest/globals';
import { ConsoleSession } from './console-session';
import { vpcs } from './drivers/vpcs';
import { FakeConsole, type FakeIo } from './testing/fake-console';
import { FakeIos } from './testing/fake-ios';
import { sessionOptions, withSession } from './testing/open-session';

const RUN = { timeoutMs: 3_000, signal: new AbortController().signal, confirm: false };
const VERSION = 'Cisco IOS Software, Version 15.2\r\nUptime is 3 weeks\r\n';

describe('console session: reaching the prompt', () => {
  it('G1: presses Enter until a silent console shows its prompt, and keeps the greeting out of the output', async () => {
    const ios = new FakeIos({ answers: { 'show version': VERSION } });
    let presses = 0;
    const device = {
      greet: (io: FakeIo) => io.write('\r\nPress ENTER to get the prompt.\r\n'),
      line: (line: string, io: FakeIo) => {
        presses += 1;
        if (presses >= 3) ios.line(line, io);
      },
    };
    await withSession(device, {}, async ({ session }) => {
      const { output, end } = await session.run('show version', RUN);
      expect(end).toBe('prompt');
      expect(output).toBe('Cisco IOS Software, Version 15.2\nUptime is 3 weeks');
    });
  });

  it('G2: leaves the configuration mode that someone left open before the first command', async () => {
    const ios = new FakeIos({ level: '(config-if)#', answers: { 'show version': VERSION } });
    await withSession(ios, {}, async ({ session }) => {
      const { output, promptLine } = await session.run('show version', RUN);
      expect(promptLine).toBe('R1#');
      expect(output).toContain('Version 15.2');
    });
  });

  it('G3: answers no to the initial configuration dialog and types no command into it', async () => {
    const ios = new FakeIos({ level: '>', host: 'Router' });
    let stage = 0;
    const device = {
      greet: (io: FakeIo) =>
        io.write('\r\nWould you like to enter the initial configuration dialog? [yes/no]: '),
      line: (line: string, io: FakeIo) => {
        if (stage === 0 && line === 'no') {
          stage = 1;
          io.write('\r\nWould you like to terminate autoinstall? [yes]: ');
        } else if (stage === 0) {
          io.write(
            "\r\n% Please answer 'yes' or 'no'.\r\nWould you like to enter the initial configuration dialog? [yes/no]: ",
          );
        } else if (stage === 1) {
          stage = 2;
          io.later(500, '\r\nPress RETURN to get started!\r\n');
          setTimeout(() => (stage = 3), 500);
        } else if (stage === 3) {
          ios.line(line, io);
        }
      },
    };
    await withSession(device, {}, async ({ console, session }) => {
      expect(session.mode).toBe('user');
      expect(console.lines.filter((line) => line !== '')).toEqual(['no', 'yes']);
    });
  });

  it('G7: takes the real prompt and not a banner of # or >', async () => {
    const ios = new FakeIos({
      level: '>',
      greeting: '\r\n##########\r\n> authorised use only >\r\n#',
      answers: { 'show version': VERSION },
    });
    await withSession(ios, {}, async ({ session }) => {
      const outcome = await session.run('show version', RUN);
      expect(outcome.promptLine).toBe('R1>');
      expect(outcome.output).toContain('Version 15.2');
    });
  });

  it('G10: sends nothing but commands and line ends to a console that never negotiates', async () => {
    const ios = new FakeIos({ answers: { 'show version': VERSION } });
    await withSession(ios, {}, async ({ console, session }) => {
      await session.run('show version', RUN);
      expect(console.received.replace(/\r/g, '')).toBe('show version');
    });
  });

  it('G19: reports a console that accepts and never answers, with a hint', async () => {
    const console = await FakeConsole.start({ line: () => undefined, echo: false });
    try {
      await expect(ConsoleSession.open(sessionOptions(console))).rejects.toMatchObject({
        code: 'silent',
        message: expect.stringContaining('did not answer for 1 s'),
      });
    } finally {
      await console.stop();
    }
  });

  it('G20: waits for a node whose console refuses connections at first', async () => {
    const reserved = await FakeConsole.start({ line: () => undefined });
    const { port } = reserved;
    await reserved.stop();
    const opening = ConsoleSession.open(sessionOptions({ port }));
    const console = await FakeConsole.start(new FakeIos(), port);
    try {
      const session = await opening;
      expect(session.mode).toBe('exec');
      await session.close();
    } finally {
      await console.stop();
    }
  });

  it('G20: says that a device which prints but shows no prompt is still booting', async () => {
    let ticks: NodeJS.Timeout | undefined;
    const console = await FakeConsole.start({
      greet: (io) => (ticks = setInterval(() => io.write('Loading image ....\r\n'), 100)),
      line: () => undefined,
      echo: false,
    });
    try {
      await expect(ConsoleSession.open(sessionOptions(console))).rejects.toMatchObject({
        code: 'booting',
        message: expect.stringContaining('Loading image'),
      });
    } finally {
      clearInterval(ticks);
      await console.stop();
    }
  });

  it('G25: reports that a login is needed and types nothing as the user name', async () => {
    const console = await FakeConsole.start({
      line: (_line, io) => io.write('\r\n\r\nUser Access Verification\r\n\r\nUsername: '),
    });
    try {
      await expect(ConsoleSession.open(sessionOptions(console))).rejects.toMatchObject({
        code: 'login_required',
      });
      expect(console.received.replace(/\r/g, '')).toBe('');
    } finally {
      await console.stop();
    }
  });

  it('G25: logs in where the node has credentials, and never shows the password', async () => {
    const ios = new FakeIos();
    let stage: 'user' | 'password' | 'in' = 'user';
    const device = {
      line: (line: string, io: FakeIo) => {
        if (stage === 'user') {
          if (line === 'admin') stage = 'password';
          io.write(stage === 'user' ? '\r\nUsername: ' : '\r\nPassword: ');
        } else if (stage === 'password') {
          stage = line === 's3cret' ? 'in' : 'user';
          io.write(stage === 'in' ? '\r\nR1#' : '\r\n% Login invalid\r\n\r\nUsername: ');
        } else ios.line(line, io);
      },
    };
    await withSession(device, { login: { username: 'admin', password: 's3cret' } }, async ({ session }) => {
      expect(session.mode).toBe('exec');
    });
  });
});

describe('console session: VPCS', () => {
  const greeting = '\r\nWelcome to Virtual PC Simulator\r\n\r\nPC1> ';

  function pc(answers: Record<string, (io: FakeIo) => void>) {
    return {
      // VPCS reads what has arrived at once and looks for Enter at its beginning only.
      enterAtChunkStart: true,
      greet: (io: FakeIo) => io.write(greeting),
      line: (line: string, io: FakeIo) => {
        const answer = answers[line];
        if (answer === undefined) io.write('\r\nPC1> ');
        else answer(io);
      },
    };
  }

  it('G11: waits for the duplicate address check', async () => {
    const device = pc({
      'ip 10.0.0.1/24': (io) => {
        io.write('\r\nChecking for duplicate address...\r\n');
        io.later(600, 'PC1 : 10.0.0.1 255.255.255.0\r\n\r\nPC1> ');
      },
    });
    await withSession(device, { driver: vpcs }, async ({ session }) => {
      const { output, end } = await session.run('ip 10.0.0.1/24', RUN);
      expect(end).toBe('prompt');
      expect(output).toContain('PC1 : 10.0.0.1');
    });
  });

  it('G11: names the refusal of a gateway outside the subnet', async () => {
    const device = pc({
      'ip 10.0.0.1/24 10.9.9.9': (io) => io.write('\r\nnot same subnet\r\n\r\nPC1> '),
    });
    await withSession(device, { driver: vpcs }, async ({ session }) => {
      expect((await session.run('ip 10.0.0.1/24 10.9.9.9', RUN)).refusal).toBe('not same subnet');
    });
  });

  it('G11: reports that the console was closed, not an empty success', async () => {
    const device = pc({
      show: (io) => {
        io.write('\r\nGood-bye\r\n');
        io.end();
      },
    });
    await withSession(device, { driver: vpcs }, async ({ session }) => {
      const outcome = await session.run('show', RUN);
      expect(outcome.end).toBe('closed');
      expect(session.ready).toBe(false);
    });
  });
});
