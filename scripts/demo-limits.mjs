#!/usr/bin/env node
// A dozen runs of the demo model, each within other limits, and a table of what became of them.
//   npm run demo:limits [-- --url http://127.0.0.1:3090] [--project ID] [--token JWT]
// Without --url it brings a service with the demo lab up for itself, and takes it down at the end.
import { parseArgs } from 'node:util';
import { bringUp } from './lib/bring-up.mjs';
import { chat, DEMO_PROJECT } from './lib/demo-chat.mjs';
import { describeFailure } from './lib/launch-error.mjs';
import { Layers } from './lib/layers.mjs';
import { textTable } from './lib/text-table.mjs';
import { parseStartOptions } from './lib/start-options.mjs';
import { onStopSignals } from './lib/stop-signals.mjs';
import { say } from './lib/terminal.mjs';

const OSPF = 'Configure OSPF on all routers';
const STATUS = 'Show the status of all interfaces';
const CONFIG = 'execute_multiple_device_config_commands';

const RUNS = [
  [OSPF, {}],
  [OSPF, { max_iterations: 1 }],
  [OSPF, { max_iterations: 2 }],
  [OSPF, { max_tool_calls: 1 }],
  [OSPF, { max_tool_calls: 1, on_limit_reached: 'fail' }],
  [OSPF, { max_tool_calls: 1, on_limit_reached: 'continue' }],
  [OSPF, { max_device_config_calls: 1 }],
  [OSPF, { tool_limits: { [CONFIG]: 0 } }],
  [OSPF, { max_diagnostic_calls: 1 }],
  [STATUS, { max_execution_time_seconds: 1 }],
  [STATUS, { max_cost: 0.001 }],
  [OSPF, { max_cost: 0.025 }],
  [STATUS, { estimate_cost_before_execution: true }],
  [OSPF, { auto_adjust_limits: true }],
];

const WIDEST_ANSWER = 72;
const layers = new Layers();
let stopped = false;

/** One line: the last of a text that has words in it, cut to the screen. */
function lastLine(text) {
  const line = text.split('\n').findLast((each) => /\w|\p{Script=Han}/u.test(each)) ?? '';
  const plain = line.replace(/\s+/g, ' ').trim();
  return plain.length > WIDEST_ANSWER ? `${plain.slice(0, WIDEST_ANSWER - 3).toWellFormed()}...` : plain;
}

function limitsText(limits) {
  const parts = Object.entries(limits).map(([name, value]) =>
    typeof value === 'object' ? `${name} ${JSON.stringify(value)}` : `${name} ${value}`,
  );
  return parts.length === 0 ? '(none)' : parts.join(', ');
}

function costText({ cost }, estimate) {
  if (!cost) return '-';
  const spent = cost.amount.toFixed(4);
  return estimate?.cost ? `${spent} of ${estimate.cost.expected.toFixed(4)} expected` : spent;
}

async function play(service, [message, limits]) {
  let answer = '';
  let estimate;
  let changes = 0;
  for await (const event of chat(service, { message, ...limits })) {
    if (event.type === 'content') answer += event.content;
    // The last model call's text is the answer; what came before was said on the way.
    if (event.type === 'tool_end') answer = '';
    if (event.type === 'error') answer = `error: ${event.error}`;
    if (event.type === 'cost_estimate') estimate = event;
    if (event.type === 'limits_adjusted') changes += 1;
    if (event.type !== 'done') continue;
    const { usage, stop_reason } = event;
    return [
      `${limitsText(limits)}${changes > 0 ? ` (${changes} chosen)` : ''}`,
      `${usage.llm_calls}`,
      `${usage.tool_calls}${usage.refused_tool_calls > 0 ? ` (+${usage.refused_tool_calls} refused)` : ''}`,
      costText(usage, estimate),
      stop_reason,
      lastLine(answer),
    ];
  }
  throw new Error(`the stream of ${limitsText(limits)} ended without "done"`);
}

async function serviceOf({ url, project, token }) {
  if (url) return { url, project: project ?? DEMO_PROJECT, token };
  // The table is what people came for, not the log of a service that is gone afterwards.
  process.env.LOG_LEVEL ??= 'error';
  const options = parseStartOptions([], {});
  const assertGoingOn = () => {
    if (stopped) throw new Error('stopped');
  };
  const up = await bringUp({ options, env: process.env, layers, onGiveUp: say, assertGoingOn });
  return { url: up.url, project: up.projectId, token };
}

async function demo() {
  const value = { type: 'string' };
  const { values } = parseArgs({ options: { url: value, project: value, token: value } });
  const service = await serviceOf(values);
  const rows = [];
  for (const run of RUNS) {
    if (stopped) return false;
    say(`> ${run[0]}: ${limitsText(run[1])}`);
    rows.push(await play(service, run));
  }
  const head = [
    'limits asked for',
    'model calls',
    'tool calls',
    'cost',
    'stop reason',
    'the answer ends with',
  ];
  console.log(`\n${textTable(head, rows)}`);
  return true;
}

onStopSignals((_signal, count) => {
  stopped = true;
  void layers.stop(count > 1);
});

let done = false;
try {
  done = await demo();
} catch (error) {
  if (!stopped) say(describeFailure(error));
}
await layers.stop();
process.exit(done ? 0 : 1);
