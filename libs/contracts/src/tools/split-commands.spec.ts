import { describe, expect, it } from '@jest/globals';
import { splitCommands } from './split-commands';

describe('splitting commands', () => {
  it('G27: makes a command of every line in a string, whatever ends the line', () => {
    expect(splitCommands(['show clock\nreload', 'a\r\nb\rc', 'd\u2028e\u0085f\vg\fh'])).toEqual([
      ...['show clock', 'reload', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
    ]);
  });

  it('G27: takes out control characters that would edit or end a line on the device', () => {
    expect(splitCommands(['show\b\b\b\breload', '\x1b[A', 'wr\t', 'sh\x00ow', '\x03'])).toEqual([
      ...['show reload', '[A', 'wr', 'sh ow'],
    ]);
  });

  it('leaves out empty lines and keeps the order', () => {
    expect(splitCommands(['', '  ', ' interface Gi0/0 \n\n no shutdown '])).toEqual([
      'interface Gi0/0',
      'no shutdown',
    ]);
  });

  it('keeps text that is not ASCII', () => {
    expect(splitCommands(['description 核心 é'])).toEqual(['description 核心 é']);
  });
});
