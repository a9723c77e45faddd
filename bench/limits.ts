import { writeFile } from 'node:fs/promises';
import { NO_USAGE, TOOL_NAMES, type ModelPrices, type Usage } from '@copilot/contracts';
import {
  admitCalls,
  assumedOutput,
  costStanding,
  effectiveLimits,
  followRepeats,
  limitsFigures,
  nextCall,
  raiseLimits,
  reachedByCalls,
  reachedByModelCall,
  withCost,
  type Repeat,
} from '@copilot/limits';
import { measure } from './lib/measure';
import { json, milliseconds, table, type Row } from './lib/report';

/**
 * What the accounting of limits adds to one iteration: judging the next model call, admitting and counting its
 * tool calls, following repeats, pricing, and the figures of the event. The goal is 1 ms. Counting tokens, the
 * database and Redis are not in it: they are there without any limit too.
 * `npx tsx bench/limits.ts [--json FILE]`
 */
const PRICES: ModelPrices = { input_price: 2.5, cached_input_price: 1.25, output_price: 10, currency: 'USD' };
const SIZES = [1, 5, 50];
/** As many iterations as a measurement takes, since one is too short to be timed. */
const ITERATIONS = 100;
const GOAL_MS = 1;

const limits = effectiveLimits(
  {
    max_iterations: 100,
    max_tool_calls: 50,
    max_device_config_calls: 50,
    max_diagnostic_calls: 50,
    tool_limits: Object.fromEntries(TOOL_NAMES.map((name) => [name, 50])),
    max_cost: 100,
    auto_adjust_limits: true,
  },
  { maxSeconds: 900 },
);
const chosen = { max_iterations: 100, max_tool_calls: 50 };

interface Turn {
  readonly calls: readonly { readonly name: string; readonly args: unknown; readonly result: string }[];
}

/** A turn of device calls with results of the given size. */
function turnOf(calls: number, resultChars: number): Turn {
  const line = 'GigabitEthernet0/1 is up, line protocol is up, 00:03:11, 1500 bytes\n';
  const result = line.repeat(Math.ceil(resultChars / line.length));
  return {
    calls: Array.from({ length: calls }, (_, index) => ({
      name: TOOL_NAMES[index % TOOL_NAMES.length] ?? '',
      args: { device_configs: [{ device_name: `R${index}`, commands: ['show ip interface brief'] }] },
      result,
    })),
  };
}

/** One iteration's accounting, as the agent's nodes do it. */
function iterate(usage: Usage, repeats: readonly Repeat[], iteration: number, { calls }: Turn) {
  const next = { inputTokens: 20_000, outputTokens: assumedOutput(usage, 500, null) };
  const standing = {
    iterations: iteration,
    elapsedMs: iteration * 1_000,
    forced: null,
    cost: costStanding(limits, usage, next, PRICES),
  };
  reachedByModelCall(limits, standing, nextCall(limits, standing));
  const counts = { total: usage.tool_calls, byTool: usage.by_tool };
  raiseLimits(chosen, { iterations: iteration, counts, calls, before: repeats });
  const admission = admitCalls(calls, limits, counts);
  reachedByCalls(limits, admission.hits);
  const spent = withCost(
    {
      ...usage,
      llm_calls: usage.llm_calls + 1,
      tool_calls: admission.counts.total,
      by_tool: { ...admission.counts.byTool },
      input_tokens: usage.input_tokens + 20_000,
      output_tokens: usage.output_tokens + 200,
    },
    PRICES,
  );
  const followed = followRepeats(repeats, calls);
  limitsFigures(limits, spent, standing.elapsedMs);
  return { usage: spent, repeats: followed.repeats };
}

function run(turn: Turn): void {
  let state: { usage: Usage; repeats: readonly Repeat[] } = { usage: NO_USAGE, repeats: [] };
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    state = iterate(state.usage, state.repeats, iteration, turn);
  }
}

const rows: Row[] = [];
let worstMs = 0;
for (const resultChars of [1_000, 20_000]) {
  for (const calls of SIZES) {
    const turn = turnOf(calls, resultChars);
    const all = await measure(run, () => turn);
    const perIteration = {
      ...all,
      medianMs: all.medianMs / ITERATIONS,
      minMs: all.minMs / ITERATIONS,
      medianCpuMs: all.medianCpuMs / ITERATIONS,
    };
    if (calls === 5 && resultChars === 1_000) worstMs = perIteration.medianMs;
    const task = `one iteration, ${calls} tool calls, results of ${resultChars / 1_000} K characters`;
    rows.push({ task, contender: 'ours', result: perIteration });
  }
}
const file = process.argv[process.argv.indexOf('--json') + 1];
if (process.argv.includes('--json') && file) await writeFile(file, json('limits', rows));
console.log(table(rows, 'ours'));
console.log(`\nAn ordinary iteration: ${milliseconds(worstMs)} of the ${GOAL_MS} ms that it may take.`);
