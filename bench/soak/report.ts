import type { Sample } from './samples';

const MINUTE_MS = 60_000;

export interface Trend {
  readonly name: string;
  /** Means. */
  readonly firstMinute: number;
  readonly lastMinute: number;
  /** Of the least-squares line through all samples. */
  readonly slopePerMinute: number;
}

export function trends(samples: readonly Sample[]): Trend[] {
  const begin = samples[0]?.atMs ?? 0;
  const end = samples.at(-1)?.atMs ?? 0;
  return Object.keys(samples[0]?.figures ?? {}).map((name) => {
    const points = samples.map(({ atMs, figures }) => ({ atMs, value: figures[name] ?? NaN }));
    const between = (fromMs: number, toMs: number) =>
      mean(points.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs).map(({ value }) => value));
    return {
      name,
      firstMinute: between(begin, begin + MINUTE_MS),
      lastMinute: between(end - MINUTE_MS, end),
      slopePerMinute: slope(
        points.map(({ atMs }) => atMs / MINUTE_MS),
        points.map(({ value }) => value),
      ),
    };
  });
}

/** Of the straight line with the least squares; 0 for a single point. */
export function slope(xs: readonly number[], ys: readonly number[]): number {
  const meanX = mean(xs);
  const meanY = mean(ys);
  let covered = 0;
  let spread = 0;
  for (const [index, x] of xs.entries()) {
    covered += (x - meanX) * ((ys[index] ?? NaN) - meanY);
    spread += (x - meanX) ** 2;
  }
  return spread === 0 ? 0 : covered / spread;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A Markdown table. */
export function trendTable(all: readonly Trend[]): string {
  return [
    '| figure | first minute | last minute | slope a minute |',
    '|---|---|---|---|',
    ...all.map(({ name, firstMinute, lastMinute, slopePerMinute }) => {
      const sign = slopePerMinute > 0 ? '+' : '';
      return `| ${name} | ${firstMinute.toFixed(1)} | ${lastMinute.toFixed(1)} | ${sign}${slopePerMinute.toFixed(2)} |`;
    }),
  ].join('\n');
}
