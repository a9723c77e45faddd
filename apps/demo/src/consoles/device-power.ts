import { PowerOff, Terminal } from './terminal';

/** Runs a device's program on a fresh terminal from power-on to power-off. */
export class DevicePower {
  private current: { readonly terminal: Terminal; readonly off: AbortController } | undefined;

  constructor(
    private readonly write: (text: string) => void,
    private readonly program: (terminal: Terminal) => Promise<void>,
  ) {}

  get isOn(): boolean {
    return this.current !== undefined;
  }

  get terminal(): Terminal | undefined {
    return this.current?.terminal;
  }

  on(): void {
    if (this.current) return;
    const off = new AbortController();
    const terminal = new Terminal(this.write, off.signal);
    this.current = { terminal, off };
    this.program(terminal).catch((error: unknown) => {
      if (!(error instanceof PowerOff)) throw error;
    });
  }

  off(): void {
    const { current } = this;
    this.current = undefined;
    current?.off.abort();
  }
}
