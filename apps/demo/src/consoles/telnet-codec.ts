import { StringDecoder } from 'node:string_decoder';

const IAC = 255;
const DONT = 254;
const DO = 253;
const WONT = 252;
const WILL = 251;
const SB = 250;
const SE = 240;
const BINARY = 0;
const ECHO = 1;
const SUPPRESS_GO_AHEAD = 3;

/** What a GNS3 console sends first: it echoes, sends no go-aheads, and is binary both ways. */
export const OPENING_NEGOTIATION = Buffer.from([
  IAC,
  WILL,
  ECHO,
  IAC,
  WILL,
  SUPPRESS_GO_AHEAD,
  IAC,
  WILL,
  BINARY,
  IAC,
  DO,
  BINARY,
]);

type State = 'data' | 'iac' | 'option' | 'subnegotiation' | 'subnegotiation-iac';

/** Takes the telnet protocol out of what a client sends and leaves the keys; CR LF and CR NUL are one CR. */
export class TelnetDecoder {
  private readonly text = new StringDecoder('utf8');
  private state: State = 'data';
  private afterCr = false;

  decode(chunk: Buffer): string {
    const kept: number[] = [];
    for (const byte of chunk) {
      if (this.isData(byte)) {
        const isSecondOfPair = this.afterCr && (byte === 0x0a || byte === 0x00);
        if (!isSecondOfPair) kept.push(byte);
        this.afterCr = byte === 0x0d;
      }
    }
    return this.text.write(Buffer.from(kept));
  }

  private isData(byte: number): boolean {
    switch (this.state) {
      case 'data':
        if (byte !== IAC) return true;
        this.state = 'iac';
        return false;
      case 'iac':
        if (byte === SB) this.state = 'subnegotiation';
        else this.state = [WILL, WONT, DO, DONT].includes(byte) ? 'option' : 'data';
        return byte === IAC;
      case 'option':
        this.state = 'data';
        return false;
      case 'subnegotiation':
        if (byte === IAC) this.state = 'subnegotiation-iac';
        return false;
      case 'subnegotiation-iac':
        this.state = byte === SE ? 'data' : 'subnegotiation';
        return false;
    }
  }
}

/** Device text as bytes on the wire; a 255 among them is doubled. */
export function encodeTelnet(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  return bytes.includes(IAC)
    ? Buffer.from([...bytes].flatMap((byte) => (byte === IAC ? [IAC, IAC] : [byte])))
    : bytes;
}
