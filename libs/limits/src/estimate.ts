import type { ModelPrices, Usage } from '@copilot/contracts';
import { priceOf, toAmount, type Money } from './cost';
import { ASSUMED_OUTPUT_TOKENS } from './cost-limit';
import { iterationBound, type EffectiveLimits } from './effective';
import { callBudgets } from './budgets';

/** What a former run of the caller's took. */
export interface PastRun {
  readonly iterations: number;
  readonly toolCalls: number;
  readonly outputTokens: number;
}

export function pastRun({ llm_calls, tool_calls, output_tokens }: Usage): PastRun {
  return { iterations: llm_calls, toolCalls: tool_calls, outputTokens: output_tokens };
}

/** How many of the newest runs are looked at. */
export const PAST_RUNS = 50;

/** Expected where the caller has had no run with the model, and the most that is expected then. */
const DEFAULT_EXPECTED: PastRun = { iterations: 3, toolCalls: 2, outputTokens: 600 };
const DEFAULT_HIGH: PastRun = { iterations: 10, toolCalls: 15, outputTokens: 3_000 };

/** Input tokens that a tool result adds to every later call of its run. */
const RESULT_TOKENS = 500;
const HIGH_PERCENTILE = 0.9;

/** What a run is going to take, as the `cost_estimate` event and the estimate route say it. */
export interface RunEstimate {
  /** Of the first model call, as the provider is expected to count. */
  readonly input_tokens: number;
  readonly expected_iterations: number;
  readonly expected_tool_calls: number;
  readonly expected_output_tokens: number;
  /** Former runs that the expectation is the median of; 0 = the stated defaults. */
  readonly based_on_runs: number;
  /** null where the prices are not known, and `reason` says why. */
  readonly cost: {
    readonly low: number;
    readonly expected: number;
    readonly high: number;
    readonly currency: string;
  } | null;
  readonly reason: string | null;
}

export interface EstimateBasis {
  readonly inputTokens: number;
  readonly limits: EffectiveLimits;
  readonly pastRuns: readonly PastRun[];
  readonly maxTokens: number | null | undefined;
  readonly prices: ModelPrices | null;
}

/**
 * Low: the run answers with its first call. Expected: it takes what the caller's runs take, in the median.
 * High: what nine of ten of them stay below. None takes more than the run's limits let it.
 */
export function estimateRun(basis: EstimateBasis): RunEstimate {
  const { inputTokens, limits, pastRuns, prices } = basis;
  const expected = bounded(at(pastRuns, 0.5) ?? DEFAULT_EXPECTED, limits);
  const figures = {
    input_tokens: inputTokens,
    expected_iterations: expected.iterations,
    expected_tool_calls: expected.toolCalls,
    expected_output_tokens: expected.outputTokens,
    based_on_runs: pastRuns.length,
  };
  if (!prices) return { ...figures, cost: null, reason: NO_PRICES };
  const high = bounded(at(pastRuns, HIGH_PERCENTILE) ?? DEFAULT_HIGH, limits);
  const oneCall = { iterations: 1, toolCalls: 0, outputTokens: typicalOutput(pastRuns, basis.maxTokens) };
  const [least, middle, most] = [oneCall, expected, high].map((run) => costOf(run, inputTokens, prices));
  const low = least ?? 0n;
  const usual = larger(low, middle ?? 0n);
  const cost = {
    low: toAmount(low),
    expected: toAmount(usual),
    high: toAmount(larger(usual, most ?? 0n)),
    currency: prices.currency,
  };
  return { ...figures, cost, reason: null };
}

const NO_PRICES =
  'The model config has no prices. Set input_price, output_price and currency in it to see costs.';

/** Output of one model call before the run has shown what its own are like: the median of the caller's runs. */
export function typicalOutput(pastRuns: readonly PastRun[], maxTokens: number | null | undefined): number {
  const perCall = pastRuns.map(({ iterations, outputTokens }) => outputTokens / Math.max(1, iterations));
  return Math.min(maxTokens ?? Infinity, percentile(perCall, 0.5) ?? ASSUMED_OUTPUT_TOKENS);
}

/** Each call is sent what the ones before it have said and found. */
function costOf({ iterations, toolCalls, outputTokens }: PastRun, first: number, prices: ModelPrices): Money {
  const grown = ((iterations - 1) / 2) * (outputTokens + toolCalls * RESULT_TOKENS);
  return priceOf(
    {
      input_tokens: Math.ceil(iterations * first + grown),
      cached_input_tokens: 0,
      output_tokens: outputTokens,
    },
    prices,
  );
}

/** A run with one model call has no tools, and its output shrinks with its calls. */
function bounded(run: PastRun, limits: EffectiveLimits): PastRun {
  const iterations = Math.max(1, Math.min(run.iterations, iterationBound(limits)));
  const calls = callBudgets(limits).find(({ limit }) => limit === 'max_tool_calls');
  const outputTokens = Math.ceil((run.outputTokens * iterations) / Math.max(1, run.iterations));
  const toolCalls = iterations === 1 ? 0 : Math.min(run.toolCalls, calls?.bound ?? Infinity);
  return { iterations, toolCalls, outputTokens };
}

function at(runs: readonly PastRun[], part: number): PastRun | undefined {
  const of = (figure: keyof PastRun) =>
    percentile(
      runs.map((run) => run[figure]),
      part,
    );
  const [iterations, toolCalls, outputTokens] = [of('iterations'), of('toolCalls'), of('outputTokens')];
  if (iterations === undefined || toolCalls === undefined || outputTokens === undefined) return undefined;
  return { iterations, toolCalls, outputTokens };
}

/** Rounded up to a whole number; of two middle values their mean. */
function percentile(values: readonly number[], part: number): number | undefined {
  if (values.length === 0) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const place = part * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
  return Math.ceil(below + (above - below) * (place - Math.floor(place)));
}

const larger = (a: Money, b: Money) => (a > b ? a : b);
