import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from '@copilot/persistence';
import type { Stack } from '../test/e2e/support/stack';

/** All figures of a moment by name, such as `gateway-0 RSS MB`. */
export type Sample = ReadonlyMap<string, number>;

const MB = 1_048_576;

/** Memory and connections of each process, and what the stores say of theirs. Linux only. */
export async function sampleOf(stack: Stack, { pool }: Connection, heapFolder: string): Promise<Sample> {
  const figures = new Map<string, number>();
  const children = [
    ...stack.gateways.map((child, n) => [`gateway-${n}`, child] as const),
    ...stack.agents.map((child, n) => [`agent-${n}`, child] as const),
    ...stack.tools.map((child, n) => [`tool-${n}`, child] as const),
  ];
  for (const [name, { pid }] of children) {
    figures.set(`${name} RSS MB`, await rssMb(pid));
    figures.set(`${name} heap MB`, Number(await readFile(join(heapFolder, String(pid)), 'utf8')) / MB);
    figures.set(`${name} sockets`, await sockets(pid));
  }
  const info = await stack.redis.info();
  const redisFigure = (field: string) => Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(info)?.[1]);
  figures.set('redis RSS MB', await rssMb(redisFigure('process_id')));
  figures.set('redis connected_clients', redisFigure('connected_clients'));
  const { rows } = await pool.query<{ count: string }>(
    'SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()',
  );
  figures.set('postgres backends', Number(rows[0]?.count));
  return figures;
}

async function rssMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
}

async function sockets(pid: number): Promise<number> {
  const folder = `/proc/${pid}/fd`;
  const targets = await Promise.all(
    (await readdir(folder)).map((fd) => readlink(join(folder, fd)).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith('socket:')).length;
}

/** A line a figure: means of the first and the last minute, and the least-squares slope. */
export function trendTable(samples: readonly Sample[], everySeconds: number): string {
  const aMinute = Math.max(1, Math.round(60 / everySeconds));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const slopePerMinute = (values: readonly number[]) => {
    const middle = (values.length - 1) / 2;
    const level = mean(values);
    const above = values.reduce((sum, value, n) => sum + (n - middle) * (value - level), 0);
    const below = values.reduce((sum, _, n) => sum + (n - middle) ** 2, 0);
    return below === 0 ? 0 : (above / below) * aMinute;
  };
  const names = [...(samples[0]?.keys() ?? [])];
  const lines = names.map((name) => {
    const values = samples.map((sample) => sample.get(name) ?? NaN);
    const cells = [mean(values.slice(0, aMinute)), mean(values.slice(-aMinute)), slopePerMinute(values)];
    return `| ${[name, ...cells.map((value) => value.toFixed(1))].join(' | ')} |`;
  });
  return ['| figure | first minute | last minute | slope a minute |', '|---|---|---|---|', ...lines].join(
    '\n',
  );
}
