import { cpus } from 'node:os';
import type { Measurement } from './measure';

/** One line of a comparison: a contender at a task, `undefined` where it was left out. */
export interface Row {
  readonly task: string;
  readonly contender: string;
  readonly result: Measurement | undefined;
  /** Why it was left out, or a figure beside the time. */
  readonly note?: string;
}

/** A row's processor time as a multiple of the baseline's at the same task in the same run. */
export function ratioTo(baseline: string, row: Row, rows: readonly Row[]): number | undefined {
  const base = rows.find((other) => other.task === row.task && other.contender === baseline)?.result;
  return base && row.result ? row.result.medianCpuMs / base.medianCpuMs : undefined;
}

/** A Markdown table; ratios are against `baseline`. */
export function table(rows: readonly Row[], baseline: string): string {
  const lines = rows.map((row) => {
    const ratio = ratioTo(baseline, row, rows);
    const cells = [
      row.task,
      row.contender,
      row.result ? milliseconds(row.result.minMs) : '-',
      row.result ? milliseconds(row.result.medianMs) : '-',
      row.result ? milliseconds(row.result.medianCpuMs) : '-',
      ratio === undefined ? '-' : `${ratio >= 10 ? Math.round(ratio) : ratio.toFixed(1)}x`,
      row.note ?? '',
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    `| task | contender | least | median | CPU | CPU against ${baseline} | note |`,
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

export function milliseconds(ms: number): string {
  return ms >= 100 ? `${Math.round(ms)} ms` : `${ms.toPrecision(2)} ms`;
}

/** Everything of a run that a later one can be compared with. */
export function json(name: string, rows: readonly Row[]): string {
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length };
  return JSON.stringify({ name, machine, rows }, null, 2);
}
