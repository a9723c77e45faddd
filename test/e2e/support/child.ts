import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

interface Waiter {
  readonly matches: (line: string) => boolean;
  readonly resolve: (line: string) => void;
}

/** One process of the service under test. Everything that it prints is kept. */
export class Child {
  readonly lines: string[] = [];
  private readonly process: ChildProcess;
  private readonly waiters = new Set<Waiter>();
  private readonly exited: Promise<unknown>;

  constructor(
    readonly name: string,
    script: string,
    env: Record<string, string>,
  ) {
    this.process = spawn(process.execPath, ['--enable-source-maps', script], {
      env: { PATH: process.env.PATH ?? '', COPILOT_PARENT_PIPE: '1', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.exited = once(this.process, 'exit');
    for (const stream of [this.process.stdout, this.process.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => this.take(line));
    }
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  get running(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Resolves with the first line that has `text`, also one from before; rejects when the process ends. */
  async line(text: string, timeoutMs = 90_000): Promise<string> {
    const found = this.lines.find((line) => line.includes(text));
    if (found !== undefined) return found;
    return new Promise<string>((resolve, reject) => {
      const waiter: Waiter = { matches: (line) => line.includes(text), resolve: settle(resolve) };
      const timer = setTimeout(
        () => fail(`${this.name} did not print ${JSON.stringify(text)} within ${timeoutMs} ms`),
        timeoutMs,
      );
      const waiters = this.waiters;
      const fail = (reason: string) => settle(reject)(new Error(`${reason}\n${this.tail()}`));
      void this.exited.then(() => fail(`${this.name} ended early`));
      waiters.add(waiter);

      function settle<T>(done: (value: T) => void) {
        return (value: T) => {
          clearTimeout(timer);
          waiters.delete(waiter);
          done(value);
        };
      }
    });
  }

  /** Waits for the end; null when a signal ended it. */
  async exitCode(): Promise<number | null> {
    await this.exited;
    return this.process.exitCode;
  }

  signal(name: NodeJS.Signals): void {
    this.process.kill(name);
  }

  /** Signals and waits for the end; a process that outlives `timeoutMs` is killed and reported. */
  async stop(signal: NodeJS.Signals = 'SIGTERM', timeoutMs = 20_000): Promise<void> {
    if (!this.running) return;
    this.process.kill(signal);
    const timer = setTimeout(() => this.process.kill('SIGKILL'), timeoutMs);
    await this.exited;
    clearTimeout(timer);
    if (this.process.signalCode === 'SIGKILL' && signal !== 'SIGKILL') {
      throw new Error(`${this.name} did not end within ${timeoutMs} ms of ${signal}\n${this.tail()}`);
    }
  }

  private take(line: string): void {
    this.lines.push(line);
    for (const waiter of this.waiters) if (waiter.matches(line)) waiter.resolve(line);
  }

  private tail(): string {
    return this.lines.slice(-20).join('\n');
  }
}
