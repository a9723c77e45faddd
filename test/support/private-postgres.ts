import { mkdtemp, chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@copilot/persistence';
import { startPostgres } from '../../scripts/lib/postgres.mjs';

/** A Postgres of a test's own, which may be restarted with its data. */
export class PrivatePostgres {
  private constructor(
    private readonly folder: string,
    private readonly server: Awaited<ReturnType<typeof startPostgres>>,
  ) {}

  static async start(): Promise<PrivatePostgres> {
    const folder = await mkdtemp(join(tmpdir(), 'copilot-postgres-'));
    // Started by root it runs as somebody else, who has to get through here to its own folder.
    await chmod(folder, 0o711);
    const server = await startPostgres({
      folder: join(folder, 'data'),
      binariesFolder: join(folder, 'binaries'),
      password: 'private',
      keep: true,
      onGiveUp: (message) => {
        throw new Error(message);
      },
    });
    return new PrivatePostgres(folder, server);
  }

  get url(): string {
    return this.server.url;
  }

  /**
   * Ends the server the way an operator's restart does, or at once, so that it has to recover from its log; whoever
   * watches over it starts it again.
   */
  async restart(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const { pool } = connect(this.url, () => undefined, 1);
    const { rows } = await pool.query<{ pid: string }>(
      `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`,
    );
    await pool.end();
    process.kill(Number(rows[0]?.pid), mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await this.ended(Number(rows[0]?.pid));
  }

  async remove(): Promise<void> {
    await this.server.stop(false);
    await rm(this.folder, { recursive: true, force: true });
  }

  private async ended(pid: number): Promise<void> {
    for (;;) {
      try {
        process.kill(pid, 0);
      } catch {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
