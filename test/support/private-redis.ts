import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findRedis } from '../../scripts/lib/redis-binary.mjs';
import { freePort } from './free-port';

/** A Redis of a test's own, which may be stopped and started again with its data. */
export class PrivateRedis {
  private process: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly options: readonly string[],
  ) {}

  static async start(...options: string[]): Promise<PrivateRedis> {
    const folder = await mkdtemp(join(tmpdir(), 'copilot-redis-'));
    const redis = new PrivateRedis(folder, await freePort(), options);
    await redis.up();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async up(): Promise<void> {
    const { command, env } = await findRedis();
    const config = ['--bind', '127.0.0.1', '--port', String(this.port), '--dir', this.folder, '--save', ''];
    const child = spawn(command, [...config, '--appendonly', 'yes', ...this.options], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.process = child;
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.includes('Ready to accept connections')) break;
    }
    child.stdout.resume();
  }

  async down(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  /** To be called while it is down: it comes up again as an empty one. */
  async loseData(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
    await mkdir(this.folder);
  }

  async remove(): Promise<void> {
    await this.down();
    await rm(this.folder, { recursive: true, force: true });
  }
}
