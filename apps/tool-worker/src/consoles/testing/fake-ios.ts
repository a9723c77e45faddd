import type { FakeDevice, FakeIo } from './fake-console';

export interface FakeIosOptions {
  host?: string;
  /** Level at the beginning: '>' user, '#' exec, '(config-if)#' and the like. */
  level?: string;
  /** Output of commands, by the whole line; a function may write by itself and must then write the prompt. */
  answers?: Record<string, string | ((io: FakeIo, device: FakeIos) => void)>;
  /** Lines that are refused with the caret. */
  refused?: readonly string[];
  /** What `enable` does; it leads to '#' if left out. */
  enable?: (io: FakeIo, device: FakeIos) => void;
  greeting?: string;
}

const CARET = "              ^\r\n% Invalid input detected at '^' marker.\r\n";

/** Enough of IOS for a session: levels, echo, hostname, a caret for what it does not know. */
export class FakeIos implements FakeDevice {
  host: string;
  level: string;

  constructor(private readonly options: FakeIosOptions = {}) {
    this.host = options.host ?? 'R1';
    this.level = options.level ?? '#';
  }

  /** IOS shows at most 20 characters of the name in the prompts of configuration mode. */
  get prompt(): string {
    return (this.level.startsWith('(') ? this.host.slice(0, 20) : this.host) + this.level;
  }

  greet(io: FakeIo): void {
    if (this.options.greeting !== undefined) io.write(this.options.greeting);
  }

  line(line: string, io: FakeIo): void {
    const command = line.trim();
    const answer = this.options.answers?.[command];
    if (typeof answer === 'function') {
      io.write('\r\n');
      answer(io, this);
      return;
    }
    if (command === 'enable' && this.options.enable !== undefined) {
      io.write('\r\n');
      this.options.enable(io, this);
      return;
    }
    io.write(`\r\n${answer ?? this.effect(command)}${this.prompt}`);
  }

  private effect(command: string): string {
    if (this.options.refused?.includes(command)) return CARET;
    const inConfig = this.level.startsWith('(');
    if (command === '' || /^terminal (length|width) \d+$/.test(command)) return '';
    if (command === 'enable') this.level = '#';
    else if (command === 'configure terminal' && !inConfig) this.level = '(config)#';
    else if (command === 'end' && inConfig) this.level = '#';
    else if (command === 'exit' && inConfig) this.level = this.level === '(config)#' ? '#' : '(config)#';
    else if (/^interface \S+$/.test(command) && inConfig) this.level = '(config-if)#';
    else if (command.startsWith('hostname ') && inConfig) this.host = command.slice('hostname '.length);
    else if (!inConfig) return CARET;
    return '';
  }
}
