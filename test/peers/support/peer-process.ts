import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

const KEPT_CHARS = 20_000;
const POLL_MS = 100;

interface PeerOptions {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

/** A program that is not ours, in the foreground; the end of what it prints is kept for the failure's message. */
export class PeerProcess {
  output = '';
  private readonly process: ChildProcess;
  private readonly ended: Promise<unknown>;

  constructor(
    private readonly name: string,
    command: string,
    args: readonly string[],
    { env = {}, cwd }: PeerOptions = {},
  ) {
    this.process = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.ended = once(this.process, 'close').catch((error: unknown) => {
      this.output += String(error);
    });
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.on('data', (bytes: Buffer) => {
        this.output = (this.output + bytes.toString()).slice(-KEPT_CHARS);
      });
    }
  }

  /** Waits until the URL gives any HTTP answer. */
  async answers(url: string, timeoutMs = 60_000): Promise<void> {
    const until = Date.now() + timeoutMs;
    for (;;) {
      if (
        await fetch(url, { redirect: 'manual' }).then(
          () => true,
          () => false,
        )
      )
        return;
      if (!this.running) throw new Error(`${this.name} ended early\n${this.output}`);
      if (Date.now() > until) {
        await this.stop('SIGKILL');
        throw new Error(`${this.name} does not answer at ${url} after ${timeoutMs} ms\n${this.output}`);
      }
      await delay(POLL_MS);
    }
  }

  /** Waits until it has printed what matches. */
  async printed(pattern: RegExp, timeoutMs = 60_000): Promise<RegExpExecArray> {
    const giveUpAt = Date.now() + timeoutMs;
    for (;;) {
      const found = pattern.exec(this.output);
      if (found) return found;
      if (!this.running || Date.now() > giveUpAt) {
        await this.stop('SIGKILL');
        throw new Error(`${this.name} did not print ${pattern.source}\n${this.output}`);
      }
      await delay(POLL_MS);
    }
  }

  /** Waits for the end: its exit code, or null when a signal ended it. */
  async exitCode(): Promise<number | null> {
    await this.ended;
    return this.process.exitCode;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM', timeoutMs = 10_000): Promise<void> {
    if (this.running) this.process.kill(signal);
    const timer = setTimeout(() => this.process.kill('SIGKILL'), timeoutMs);
    await this.ended;
    clearTimeout(timer);
  }

  private get running(): boolean {
    return (
      this.process.pid !== undefined && this.process.exitCode === null && this.process.signalCode === null
    );
  }
}
