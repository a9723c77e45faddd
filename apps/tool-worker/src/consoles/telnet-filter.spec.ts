import { describe, expect, it } from '@jest/globals';
import { TelnetFilter } from './telnet-filter';

const [IAC, DONT, DO, WONT, WILL, SB, SE] = [255, 254, 253, 252, 251, 250, 240];
const [BINARY, ECHO, SGA, NAWS] = [0, 1, 3, 31];
const text = (value: string) => [...Buffer.from(value)];

function receive(...reads: number[][]): { data: string; reply: number[] } {
  const filter = new TelnetFilter();
  const received = reads.map((bytes) => filter.receive(Uint8Array.from(bytes)));
  return {
    data: Buffer.concat(received.map(({ data }) => data)).toString('latin1'),
    reply: received.flatMap(({ reply }) => [...reply]),
  };
}

describe('telnet filter', () => {
  it('passes data and answers nothing where nothing is asked', () => {
    expect(receive(text('R1#'))).toEqual({ data: 'R1#', reply: [] });
  });

  it('lets the other side echo and suppress go-ahead, and declines the rest', () => {
    const asked = [
      IAC,
      WILL,
      ECHO,
      IAC,
      WILL,
      SGA,
      IAC,
      WILL,
      BINARY,
      IAC,
      DO,
      SGA,
      IAC,
      DO,
      BINARY,
      IAC,
      DO,
      NAWS,
    ];
    expect(receive(asked).reply).toEqual([
      ...[IAC, DO, ECHO, IAC, DO, SGA, IAC, DONT, BINARY],
      ...[IAC, WILL, SGA, IAC, WONT, BINARY, IAC, WONT, NAWS],
    ]);
  });

  it('answers a change once, so two sides cannot agree for ever', () => {
    expect(receive([IAC, WILL, ECHO, IAC, WILL, ECHO, IAC, DO, SGA, IAC, DO, SGA]).reply).toEqual([
      ...[IAC, DO, ECHO],
      ...[IAC, WILL, SGA],
    ]);
    expect(receive([IAC, WONT, ECHO, IAC, DONT, ECHO]).reply).toEqual([]);
    expect(receive([IAC, WILL, ECHO], [IAC, WONT, ECHO]).reply).toEqual([IAC, DO, ECHO, IAC, DONT, ECHO]);
  });

  it('removes commands and subnegotiations wherever a read cuts them', () => {
    const bytes = [
      ...text('a'),
      IAC,
      WILL,
      ECHO,
      ...text('b'),
      IAC,
      SB,
      24,
      1,
      IAC,
      IAC,
      2,
      IAC,
      SE,
      ...text('c'),
    ];
    for (let cut = 1; cut < bytes.length; cut += 1) {
      expect(receive(bytes.slice(0, cut), bytes.slice(cut))).toEqual({ data: 'abc', reply: [IAC, DO, ECHO] });
    }
  });

  it('reads a doubled IAC as the byte 255 and doubles it when sending', () => {
    expect(receive([IAC, IAC]).data).toBe('\xff');
    expect([...new TelnetFilter().encode('é')]).toEqual([0xc3, 0xa9]);
  });

  it('reads CR NUL as a carriage return', () => {
    expect(receive([...text('a'), 13], [0, ...text('b'), 0]).data).toBe('a\rb\0');
  });
});
