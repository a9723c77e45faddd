import { PowerOff, Terminal } from './terminal';

/** Runs a device's program on a fresh terminal from power-on to power-off. */
export class DevicePower {
  private current: { readonly terminal: Terminal; readonly off: AbortController } | undefined;

  constructor(
    private readonly write: (text: string) => void,
    private readonly program: (terminal: Terminal) => Promise<never>,
    private readonly onFault: (error: unknown) => void,
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
    const current = { terminal: new Terminal(this.write, off.signal), off };
    this.current = current;
    this.program(current.terminal).catch((error: unknown) => {
      if (error instanceof PowerOff) return;
      this.onFault(error);
      if (this.current !== current) return;
      this.off();
      this.on();
    });
  }

  off(): void {
    const { current } = this;
    this.current = undefined;
    current?.off.abort();
  }
}
