import { describe, expect, it } from '@jest/globals';
import { encodeTelnet, TelnetDecoder } from './telnet-codec';

const IAC = 255;

describe('TelnetDecoder', () => {
  it('takes negotiation and subnegotiation out, however it is cut into reads', () => {
    const bytes = [104, IAC, 253, 1, 105, IAC, 250, 24, 0, 88, IAC, 240, 33];
    const whole = new TelnetDecoder().decode(Buffer.from(bytes));
    const decoder = new TelnetDecoder();
    const single = bytes.map((byte) => decoder.decode(Buffer.from([byte]))).join('');
    expect([whole, single]).toEqual(['hi!', 'hi!']);
  });

  it('makes one key of CR LF and of CR NUL, also over two reads, and keeps a lone LF', () => {
    const decoder = new TelnetDecoder();
    expect(decoder.decode(Buffer.from('a\r\nb\r\0c\r'))).toBe('a\rb\rc\r');
    expect(decoder.decode(Buffer.from('\nd\n'))).toBe('d\n');
  });

  it('keeps a character that is cut between reads', () => {
    const [first, ...rest] = Buffer.from('网');
    const decoder = new TelnetDecoder();
    expect(decoder.decode(Buffer.from([first ?? 0])) + decoder.decode(Buffer.from(rest))).toBe('网');
  });
});

describe('encodeTelnet', () => {
  it('leaves text as its UTF-8 bytes', () => {
    expect(encodeTelnet('R1# 网').toString('utf8')).toBe('R1# 网');
  });
});
