import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { register } from 'node:module';
import { parseArgs } from 'node:util';
import { json, milliseconds, type Row, table } from './lib/report';
import { differences, percentile, round, sustained, type Sample } from './stream-rounds';
import { Service } from './stream-service';
import { SHORT_MESSAGE, TIMED_MESSAGE, type Chat, type Contender, type CpuByPart } from './stream-workload';

/**
 * The main path against the same graph called in one process, in turns, with the same model and lab.
 * `npm run services -- npx tsx bench/stream.ts [--quick] [--json FILE] [--cpu-prof FOLDER]`, after
 * `npm run build`. `--cpu-prof` keeps profiles of the service's processes while short runs are counted.
 */
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    'cpu-prof': { type: 'string' },
  },
});
const SESSIONS = 100;
const WARM_UP_AT_ONCE = 10;
/** Chats at once, and how often. */
const ROUNDS = options.quick
  ? ([
      [1, 20],
      [10, 5],
      [100, 2],
    ] as const)
  : ([
      [1, 60],
      [10, 20],
      [100, 6],
    ] as const);
const TIMES = options.quick ? { warmUpMs: 2_000, windowMs: 4_000 } : { warmUpMs: 3_000, windowMs: 8_000 };

interface StreamRow extends Row {
  readonly figures: Readonly<Record<string, number>>;
  readonly cpuMs: CpuByPart;
}

const titledChat = (session: number, message: string): Chat => ({
  sessionId: `session-${session % SESSIONS}`,
  message,
  titled: true,
});
const newChat = (): Chat => ({ sessionId: randomUUID(), message: SHORT_MESSAGE, titled: false });

const progress = (text: string) => console.error(`${new Date().toISOString()} ${text}`);

/** Gives every session its title, and the processes the time to compile what they need. */
async function warmUp(contender: Contender): Promise<void> {
  for (let first = 0; first < SESSIONS; first += WARM_UP_AT_ONCE) {
    const chats = Array.from({ length: WARM_UP_AT_ONCE }, (_, index) => ({
      ...titledChat(first + index, SHORT_MESSAGE),
      titled: false,
    }));
    await round(contender, chats);
  }
}

async function firstTokenRows(service: Contender, direct: Contender): Promise<StreamRow[]> {
  const rows: StreamRow[] = [];
  for (const [atOnce, rounds] of ROUNDS) {
    const task = `first token, ${atOnce} at once`;
    progress(task);
    const samples: { service: Sample[]; direct: Sample[]; more: number[] } = {
      service: [],
      direct: [],
      more: [],
    };
    for (let turn = 0; turn < rounds; turn++) {
      const chats = Array.from({ length: atOnce }, (_, index) =>
        titledChat(turn * atOnce + index, TIMED_MESSAGE),
      );
      const ours = await round(service, chats);
      const theirs = await round(direct, chats);
      samples.service.push(ours);
      samples.direct.push(theirs);
      samples.more.push(...differences(firstTokens([ours]), firstTokens([theirs])));
    }
    const more = {
      differenceP50Ms: percentile(samples.more, 0.5),
      differenceP95Ms: percentile(samples.more, 0.95),
    };
    rows.push(
      firstTokenRow(task, service, samples.service, more),
      firstTokenRow(task, direct, samples.direct, {}),
    );
  }
  return rows;
}

const firstTokens = (samples: readonly Sample[]) =>
  samples.flatMap(({ timings }) => timings.map(({ firstTokenMs }) => firstTokenMs));

function firstTokenRow(
  task: string,
  { name }: Contender,
  samples: readonly Sample[],
  figures: Readonly<Record<string, number>>,
): StreamRow {
  return streamRow(task, name, firstTokens(samples), meanCpu(samples), figures);
}

async function throughputRows(contenders: readonly Contender[]): Promise<StreamRow[]> {
  const rows: StreamRow[] = [];
  const workloads = {
    'short runs, titled sessions': (lane: number) => titledChat(lane, SHORT_MESSAGE),
    'short runs, new sessions': newChat,
  };
  for (const [task, next] of Object.entries(workloads)) {
    for (const contender of contenders) {
      progress(`${task}: ${contender.name}`);
      const { timings, cpuMs, runsPerSecond } = await sustained(contender, SESSIONS, next, TIMES);
      const times = timings.map(({ totalMs }) => totalMs);
      const figures = {
        runsPerSecond,
        firstTokenP95Ms: percentile(
          timings.map(({ firstTokenMs }) => firstTokenMs),
          0.95,
        ),
      };
      rows.push(streamRow(`${task}, ${SESSIONS} at once`, contender.name, times, cpuMs, figures));
    }
  }
  return rows;
}

function meanCpu(samples: readonly Sample[]): CpuByPart {
  const parts = Object.keys(samples[0]?.cpuMs ?? {});
  const mean = (part: string) =>
    samples.reduce((sum, { cpuMs }) => sum + (cpuMs[part] ?? NaN), 0) / samples.length;
  return Object.fromEntries(parts.map((part) => [part, mean(part)]));
}

function streamRow(
  task: string,
  contender: string,
  times: readonly number[],
  cpuMs: CpuByPart,
  figures: Readonly<Record<string, number>>,
): StreamRow {
  const all = { p95Ms: percentile(times, 0.95), ...figures };
  const shown = Object.entries(all).map(([name, value]) =>
    name.endsWith('Ms') ? `${name.slice(0, -2)} ${milliseconds(value)}` : `${name} ${value.toFixed(1)}`,
  );
  const parts = Object.entries(cpuMs).map(([part, ms]) => `${part} ${milliseconds(ms)}`);
  return {
    task,
    contender,
    result: {
      minMs: Math.min(...times),
      medianMs: percentile(times, 0.5),
      // A mean: the processes are read before and after a round, not for each chat.
      medianCpuMs: Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0),
      repetitions: times.length,
    },
    note: [...shown, ...(parts.length > 1 ? [`CPU: ${parts.join(', ')}`] : [])].join('; '),
    figures: all,
    cpuMs,
  };
}

// Before the agent's graph is loaded, whose files need it.
register('./stream-node-suffix.mjs', import.meta.url);
const { DirectGraph } = await import('./stream-direct');

const service = await Service.start({ agents: 2 }, options['cpu-prof']);
try {
  const direct = new DirectGraph(service.modelUrl, service.stack.lab);
  for (const contender of [service, direct]) {
    progress(`warming up: ${contender.name}`);
    await warmUp(contender);
  }
  const rows = [...(await firstTokenRows(service, direct)), ...(await throughputRows([service, direct]))];
  if (options.json !== undefined) await writeFile(options.json, json('stream', rows));
  console.log(table(rows, direct.name));
} finally {
  await service.stop();
}
