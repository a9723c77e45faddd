import { readdir, readFile } from 'node:fs/promises';

/** Linux counts in hundredths of a second, whatever its timer does. */
const TICK_MS = 10;

interface ProcessStat {
  readonly parent: number;
  readonly ownTicks: number;
  /** Of children that have ended and were waited for. */
  readonly endedChildrenTicks: number;
}

/** From Linux's /proc; nothing elsewhere, or when the process has ended. */
async function statOf(pid: number | string): Promise<ProcessStat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // The name, in brackets, may have blanks of its own.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [parent = 0, user = 0, system = 0, childUser = 0, childSystem = 0] = [1, 11, 12, 13, 14].map(
    (position) => Number(fields[position]),
  );
  return { parent, ownTicks: user + system, endedChildrenTicks: childUser + childSystem };
}

export async function parentOf(pid: number): Promise<number> {
  return (await statOf(pid))?.parent ?? 0;
}

/** Processor time of a process and its children so far; NaN where it cannot be known. */
export async function treeCpuMs(pid: number): Promise<number> {
  const own = await statOf(pid);
  if (pid === 0 || !own) return NaN;
  const others = await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(statOf));
  const children = others.filter((other) => other?.parent === pid);
  const ticks = children.reduce((sum, child) => sum + (child?.ownTicks ?? 0), 0);
  return (own.ownTicks + own.endedChildrenTicks + ticks) * TICK_MS;
}
