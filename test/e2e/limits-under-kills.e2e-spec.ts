import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  callsOf,
  iterationOf,
  killedRun,
  markerOf,
  planOf,
  scriptFor,
  type KilledRun,
  type Plan,
} from './support/killed-run';
import { ofType } from './support/sse-client';
import { Stack } from './support/stack';

const SHOW = 'execute_multiple_device_commands';
const CONFIG = 'execute_multiple_device_config_commands';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start({ agents: 2, tools: 2, demoEnv: { DEMO_LATENCY_MS: '120' } });
});

afterAll(() => stack.stop());

/** Which calls of the run are to be admitted: the limits applied call by call, in the model's order. */
function admittedBy({ limits }: Plan, turns: readonly (readonly { id: string; name: string }[])[]): string[] {
  const count = { all: 0, [SHOW]: 0, [CONFIG]: 0 };
  const admitted: string[] = [];
  turns.forEach((calls, index) => {
    const notExecuted = limits.on_limit_reached === 'fail' && index + 1 >= limits.max_iterations;
    for (const { id, name } of calls) {
      if (notExecuted || count.all >= limits.max_tool_calls) continue;
      if (name === SHOW && count[SHOW] >= (limits.tool_limits[SHOW] ?? Infinity)) continue;
      if (name === CONFIG && count[CONFIG] >= limits.max_device_config_calls) continue;
      if (name !== SHOW && name !== CONFIG) continue;
      count.all += 1;
      count[name] += 1;
      admitted.push(id);
    }
  });
  return admitted;
}

function turnsOf({ history, plan }: KilledRun) {
  const asking = history.flatMap(({ role, tool_calls }) =>
    role === 'assistant' && tool_calls ? [tool_calls] : [],
  );
  return asking
    .map((calls) => calls.map(({ id, function: { name } }) => ({ id, name })))
    .filter((calls) => calls.some(({ id }) => id.startsWith(`s${plan.seed}i`)));
}

/** What must hold of a run whatever was killed in it and when. */
function expectExact(run: KilledRun, consoleLines: readonly string[]): void {
  const { plan, frames, requests, resource, history } = run;
  const { usage, tool_calls: rows } = resource;
  const turns = turnsOf(run);
  const asked = turns.flat();

  // The counters are what the model's server saw; a call that was asked again, with the same request, counts once.
  const different = new Set(requests.map((request) => `${iterationOf(request)}`));
  expect(usage.llm_calls).toBe(different.size);
  expect(requests.length - different.size).toBeLessThanOrEqual(ofType(frames, 'attempt').length);
  expect(usage.llm_calls).toBeLessThanOrEqual(plan.limits.max_iterations);

  // Every call that the model made is there, in its order, and has one result right after it.
  expect(turns).toEqual(
    turns.map((_, index) => callsOf(plan, index + 1).map(({ id, name }) => ({ id, name }))),
  );
  const results = history.flatMap(({ role, tool_call_id }) => (role === 'tool' ? [tool_call_id] : []));
  expect(results).toEqual(asked.map(({ id }) => id));

  // What was admitted is what the limits admit, no more and no less; the rest was refused.
  const admitted = admittedBy(plan, turns);
  const refused = rows.filter(({ status }) => status === 'refused');
  expect(rows.map(({ id }) => id)).toEqual(asked.map(({ id }) => id));
  expect(rows.filter((row) => !refused.includes(row)).map(({ id }) => id)).toEqual(admitted);
  expect([usage.tool_calls, usage.refused_tool_calls]).toEqual([admitted.length, refused.length]);
  expect(usage.tool_calls + usage.refused_tool_calls).toBe(asked.length);

  // A changing call reached its console at most once, and only if it was admitted.
  for (const { id, status } of rows.filter(({ name }) => name === CONFIG)) {
    const sent = consoleLines.filter((line) => line === markerOf(id)).length;
    expect([id, sent]).toEqual([id, status === 'succeeded' ? 1 : Math.min(sent, 1)]);
    if (status === 'refused' || status === 'skipped') expect(sent).toBe(0);
  }

  // Viewers saw each call begin and end at most once, and one end of the run.
  const starts = ofType(frames, 'tool_start').map(({ tool_call_id }) => String(tool_call_id));
  const ends = ofType(frames, 'tool_end').map(({ tool_call_id }) => String(tool_call_id));
  expect(new Set(starts).size).toBe(starts.length);
  expect(starts.filter((id) => !admitted.includes(id))).toEqual([]);
  expect([...ends].sort()).toEqual(asked.map(({ id }) => id).sort());
  expect(ofType(frames, 'done')).toHaveLength(1);
  expect(frames.at(-1)?.data).toMatchObject({ type: 'done', stop_reason: resource.stop_reason });

  // The next message was answered, by a provider that takes nothing but a whole conversation.
  expect(history.at(-1)).toMatchObject({ role: 'user', content: 'And now?' });
}

describe('limits while workers are killed', () => {
  // Five runs side by side: each meets the kills of the others as well, and the suite takes a quarter of the time.
  it.each([1, 6, 11, 16])(
    'seeds %d and the four after it: counters, order and results are exact, and nothing is sent twice',
    async (first) => {
      await stack.clearLabCommands();
      const plans = Array.from({ length: 5 }, (_, index) => planOf(first + index));
      stack.model.play(scriptFor(plans));
      const runs = await Promise.all(plans.map((plan) => killedRun(stack, plan)));
      const lines = (await stack.labCommands()).map(({ line }) => line);
      for (const run of runs) expectExact(run, lines);
    },
  );
});
