#!/usr/bin/env node
// Five conversations with a running service, printed as they stream: a first look at what it does.
//   node scripts/demo-tour.mjs --url http://127.0.0.1:3090 --project ID [--token JWT] [--only N]
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { chat, DEMO_PROJECT } from './lib/demo-chat.mjs';

const MAX_OUTPUT_LINES = 12;

const TOUR = [
  { title: 'A first look', messages: ['What can you do?', 'Show the topology'] },
  {
    title: 'Configure and verify',
    messages: [
      'Configure 10.0.12.1/30 on R1, then ping 10.0.12.2',
      'Give PC2 192.168.2.10/24 gateway 192.168.2.1',
    ],
  },
  { title: '配置 OSPF', messages: ['配置所有路由器的 OSPF', '从 PC1 ping PC2'] },
  { title: '检查接口', messages: ['检查所有设备的接口状态', '比较 R1 和 R2'] },
  {
    title: 'An error, explained',
    messages: ['Show the routing table of R1', 'run show clcok on R2', 'Explain the last error'],
  },
];

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3090' },
    project: { type: 'string', default: DEMO_PROJECT },
    token: { type: 'string' },
    only: { type: 'string' },
  },
});

const style = (code) => (text) => (process.stdout.isTTY ? `\x1b[${code}m${text}\x1b[0m` : text);
const bold = style('1');
const dim = style('2');
const red = style('31');

/** A tool's output, short enough for a screen. */
function shorten(output) {
  const lines = output.split('\n');
  const shown = lines.slice(0, MAX_OUTPUT_LINES);
  if (lines.length > shown.length) shown.push(`... ${lines.length - shown.length} more lines`);
  return shown.map((line) => `    ${line}`).join('\n');
}

/** Device results are JSON with the console output inside; people want to read the output. */
function readable(output) {
  try {
    const parsed = JSON.parse(output);
    if (!Array.isArray(parsed)) return output;
    return parsed
      .map((each) => `[${each.device_name}: ${each.status}]\n${each.output || each.error || ''}`)
      .join('\n');
  } catch {
    return output;
  }
}

function print(event) {
  switch (event.type) {
    case 'content':
      process.stdout.write(event.content);
      return;
    case 'tool_call':
      if (event.tool_call.function.complete) {
        console.log(dim(`\n  -> ${event.tool_call.function.name} ${event.tool_call.function.arguments}`));
      }
      return;
    case 'tool_end':
      console.log(dim(`  <- ${event.tool_name}\n${shorten(readable(event.tool_output))}`));
      return;
    case 'error':
      console.log(red(`\n  error: ${event.error}`));
  }
}

async function say(message, sessionId) {
  console.log(`\n${bold('you:')} ${message}\n${bold('copilot:')}`);
  const { url, project, token } = values;
  const body = { message, session_id: sessionId };
  let failed = false;
  for await (const event of chat({ url, project, token }, body)) {
    print(event);
    failed ||= event.type === 'error';
    if (event.type === 'done') {
      console.log('');
      return !failed;
    }
  }
  console.log(red('\n  the stream ended without "done"'));
  return false;
}

async function tour() {
  const chosen = values.only ? TOUR.slice(Number(values.only) - 1, Number(values.only)) : TOUR;
  let good = 0;
  for (const { title, messages } of chosen) {
    const sessionId = randomUUID();
    console.log(`\n${bold(`=== ${title}`)} ${dim(`(session ${sessionId})`)}`);
    const results = [];
    for (const message of messages) results.push(await say(message, sessionId));
    if (results.every(Boolean)) good += 1;
  }
  console.log(`\n${good} of ${chosen.length} conversations went through.`);
  return good === chosen.length;
}

tour().then(
  (allGood) => process.exit(allGood ? 0 : 1),
  (error) => {
    console.error(red(error.cause?.message ? `${error.message}: ${error.cause.message}` : error.message));
    process.exit(1);
  },
);
