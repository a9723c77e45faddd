import { readdir, readFile, readlink } from 'node:fs/promises';
import type { Pool } from 'pg';
import type { RedisClient } from '@copilot/redis';

/** Everything that was looked at at one time, by a name with its unit. */
export interface Sample {
  readonly atMs: number;
  readonly figures: Readonly<Record<string, number>>;
}

export interface Sampled {
  readonly processes: readonly { readonly name: string; readonly pid: number }[];
  readonly redis: RedisClient;
  readonly pool: Pool;
}

const MB = 1_048_576;

export async function takeSample({ processes, redis, pool }: Sampled): Promise<Sample> {
  const atMs = performance.now();
  const parts = await Promise.all([
    ...processes.map(({ name, pid }) => processFigures(name, pid)),
    redisFigures(redis),
    postgresFigures(pool),
  ]);
  return { atMs, figures: Object.fromEntries(parts.flatMap((part) => Object.entries(part))) };
}

/** From Linux's /proc. */
async function processFigures(name: string, pid: number): Promise<Record<string, number>> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return {
    [`${name}: resident MB`]: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024,
    [`${name}: sockets`]: await socketsOf(pid),
  };
}

async function socketsOf(pid: number): Promise<number> {
  const folder = `/proc/${pid}/fd`;
  const links = await Promise.all(
    // A descriptor may be closed before it is looked at.
    (await readdir(folder)).map((fd) => readlink(`${folder}/${fd}`).catch(() => '')),
  );
  return links.filter((link) => link.startsWith('socket:')).length;
}

async function redisFigures(redis: RedisClient): Promise<Record<string, number>> {
  const [memory, clients] = await Promise.all([redis.info('memory'), redis.info('clients')]);
  return {
    'redis: used MB': Number(/^used_memory:(\d+)/m.exec(memory)?.[1]) / MB,
    'redis: clients': Number(/^connected_clients:(\d+)/m.exec(clients)?.[1]),
  };
}

async function postgresFigures(pool: Pool): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ backends: number; runs: number }>(
    `SELECT
       (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS backends,
       (SELECT count(*)::int FROM runs WHERE ended_at IS NULL) AS runs`,
  );
  return { 'postgres: backends': rows[0]?.backends ?? NaN, 'runs under way': rows[0]?.runs ?? NaN };
}
