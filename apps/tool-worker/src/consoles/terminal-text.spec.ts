import { describe, expect, it } from '@jest/globals';
import { TerminalText } from './terminal-text';

function show(...pieces: string[]): { lines: string[]; current: string; reply: string } {
  const terminal = new TerminalText();
  const reply = pieces.map((piece) => terminal.feed(piece)).join('');
  return { lines: terminal.takeLines(), current: terminal.current, reply };
}

describe('terminal text', () => {
  it('ends lines at a line feed and drops trailing blanks', () => {
    expect(show('a  \r\nb\n\rc ')).toMatchObject({ lines: ['a', 'b'], current: 'c' });
  });

  it('G5: shows nothing of a pager that was erased with backspaces', () => {
    expect(show('line 1\r\n --More--', '\b \b'.repeat(9), 'line 2\r\n').lines).toEqual(['line 1', 'line 2']);
  });

  it('G5: shows nothing of a pager that was erased by moving the cursor left', () => {
    const pieces = ['  ---- More ----', '\x1b[42D', ' '.repeat(42), '\x1b[42D', 'line 2\r\n'];
    expect(show(...pieces).lines).toEqual(['line 2']);
  });

  it('writes over what a carriage return goes back to', () => {
    expect(show('progress 10%\rprogress 20%\r\n').lines).toEqual(['progress 20%']);
  });

  it('G14: drops the marks of bracketed paste', () => {
    expect(show('\x1b[?2004hR1# show\x1b[?2004l\r\n')).toMatchObject({ lines: ['R1# show'] });
  });

  it('G15: drops colours, keeps a redrawn command once and answers a cursor query', () => {
    const shown = show(
      '\x1b[9999B\x1b[6n',
      '\r[\x1b[36madmin\x1b[m@\x1b[1mMikroTik\x1b[m] > /ip a\x1b[K',
      '\r[admin@MikroTik] > /ip address print\x1b[K\r\n',
    );
    expect(shown.lines).toEqual(['[admin@MikroTik] > /ip address print']);
    expect(shown.reply).toMatch(/^\x1b\[\d+;\d+R$/);
  });

  it('drops titles and other strings up to their end', () => {
    expect(show('\x1b]0;title\x07a\x1b]2;title\x1b\\b').current).toBe('ab');
  });

  it('deletes, erases and fills as the cursor moves', () => {
    expect(show('abcdef\x1b[3D\x1b[K').current).toBe('abc');
    expect(show('abcdef\x1b[5D\x1b[2P').current).toBe('adef');
    expect(show('a\x1b[3Cb').current).toBe('a   b');
    expect(show('abc\x1b[2Gx').current).toBe('axc');
  });

  it('drops NUL, bell and other controls, and sets tabs', () => {
    expect(show('a\0b\x07c\x7f\td').current).toBe('abc     d');
  });

  it('gives the same text wherever the output is cut', () => {
    const output =
      '\x1b[1;31mR1\x1b[0m#sho\b\b\bping\x1b]0;t\x07 é\r\n --More-- \r          \r!\x1b(Bok\r\nR1#';
    const whole = show(output);
    for (let cut = 1; cut < output.length; cut += 1) {
      expect(show(output.slice(0, cut), output.slice(cut))).toEqual(whole);
    }
    expect(show(...output)).toEqual(whole);
  });

  it('keeps its memory bounded on a line or a sequence that never ends', () => {
    const endless = show('x'.repeat(50_000));
    expect(
      Math.max(...endless.lines.map(({ length }) => length), endless.current.length),
    ).toBeLessThanOrEqual(20_000);
    expect(show(`\x1b[${'1'.repeat(5_000)}text`).current).toContain('text');
    expect(show(`\x1b]${'t'.repeat(5_000)} text`).current).toContain('text');
  });
});
