import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const read = (reader) => {
  try {
    return String(reader());
  } catch {
    return '';
  }
};

/** Arguments, environment and current folder; Postgres writes over the first two, but works in its data. */
const tracesOf = (pid) => [
  read(() => readFileSync(`/proc/${pid}/cmdline`)),
  read(() => readFileSync(`/proc/${pid}/environ`)),
  read(() => readlinkSync(`/proc/${pid}/cwd`)),
];

/** Living processes other than this one that have to do with `folder`, as "pid command". Linux only. */
export function processesNaming(folder) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => ({ pid, traces: tracesOf(pid) }))
    .filter(({ traces }) => traces.some((text) => text.includes(folder)))
    .map(({ pid, traces }) => `${pid} ${traces[0].replaceAll('\0', ' ')}`);
}
