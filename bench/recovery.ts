import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { SCENARIOS, timeToNextEvent, type Scenario } from './recovery-kills';
import { RecoveryService } from './recovery-service';
import { spuriousStalls } from './recovery-stalls';
import { percentile } from './stream-rounds';

/**
 * How long a run is silent after `kill -9` of the worker that holds it, and whether anything is taken for dead that is
 * not. `npm run bench:recovery -- [--kills N] [--minutes N] [--json FILE]`, after `npm run build`; `--kills` of each
 * kind (50), `--minutes` with both cores busy and no kill (10).
 */
const { values: options } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    minutes: { type: 'string', default: '10' },
    json: { type: 'string' },
  },
});
const GOAL_P95_MS = 5_000;

const progress = (text: string) => console.error(`${new Date().toISOString()} ${text}`);

async function kills(service: RecoveryService, scenario: Scenario): Promise<number[]> {
  const times: number[] = [];
  for (let n = 1; n <= Number(options.kills); n += 1) {
    times.push(await timeToNextEvent(service, scenario, n));
    progress(`${scenario} ${n}: ${Math.round(times.at(-1) ?? 0)} ms`);
  }
  return times;
}

const service = await RecoveryService.start();
try {
  const figures: Record<string, unknown> = {};
  console.log(`| worker killed | kills | p50 | p95 | longest |\n| --- | --- | --- | --- | --- |`);
  for (const scenario of SCENARIOS) {
    const times = await kills(service, scenario);
    if (times.length === 0) continue;
    const [p50, p95, longest] = [percentile(times, 0.5), percentile(times, 0.95), Math.max(...times)];
    figures[scenario] = { kills: times.length, p50, p95, longest, goalMet: p95 < GOAL_P95_MS };
    console.log(
      `| ${scenario} | ${times.length} | ${seconds(p50)} | ${seconds(p95)} | ${seconds(longest)} |`,
    );
  }
  const stalls = await spuriousStalls(service, Number(options.minutes), progress);
  figures.stalls = stalls;
  console.log(
    `\n${options.minutes} minutes with both cores busy and no kill: ${stalls.runs} runs, ${stalls.calls} tool calls, ${stalls.attemptEvents} attempt events, ${stalls.repeatedCalls} calls begun twice, ${stalls.stalledJobs} stalled jobs, ${stalls.lostRuns} runs enqueued anew.`,
  );
  if (options.json !== undefined) await writeFile(options.json, JSON.stringify(figures, null, 2));
} finally {
  await service.stop();
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}
