import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { connect } from '@copilot/persistence';
import { Child } from '../test/e2e/support/child';
import { post, Stack } from '../test/e2e/support/stack';
import { PIECES } from './soak-model';
import { sampleOf, trendTable, type Sample } from './soak-samples';
import type { Follow, ViewerCounts } from './soak-viewers';

/**
 * Many viewers on many running chats for a long time: every event reaches every viewer once and in order, and
 * memory and connections stay as they are. `npm run bench:soak -- [--minutes 10] [--viewers 2000] [--chats 200]`,
 * after `npm run build`; ends with 1 when a viewer saw a fault. The trend is measured once all chats run.
 */
const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    viewers: { type: 'string', default: '2000' },
    chats: { type: 'string', default: '200' },
  },
});
const MINUTES = Number(options.minutes);
const CHATS = Number(options.chats);
const VIEWERS_A_CHAT = Math.ceil(Number(options.viewers) / CHATS);
const GATEWAYS = 2;
const SAMPLE_SECONDS = 10;
/** Chats begin one after another over this time, so that they do not end together either. */
const RAMP_MS = 40_000;
/** Longer than a chat takes: after it whatever has not ended is lost. */
const LAST_CHATS_MS = 150_000;

const progress = (text: string) => console.error(`${new Date().toISOString()} ${text}`);

const heapFolder = await mkdtemp(join(tmpdir(), 'copilot-soak-'));
const model = new Child('model', 'bench/soak-model.ts', { NODE_OPTIONS: '--import tsx', SOAK_MODEL: '1' });
const stack = await Stack.start({
  ...{ gateways: GATEWAYS, agents: 2, tools: 1, withoutModelConfig: true },
  env: {
    AGENT_CONCURRENCY: String(CHATS),
    NODE_OPTIONS: `--import ${fileURLToPath(new URL('soak-heap.mjs', import.meta.url))}`,
    COPILOT_HEAP_FOLDER: heapFolder,
  },
});
const database = connect(stack.databaseUrl, () => undefined, 1);
const viewers = fork(fileURLToPath(new URL('soak-viewers.ts', import.meta.url)), {
  execArgv: ['--import', 'tsx'],
});
let counts: ViewerCounts = { open: 0, events: 0, ended: 0, resumed: 0, faults: [] };
viewers.on('error', (error) => progress(`viewers: ${error.message}`));
viewers.on('message', (message) => (counts = message as ViewerCounts));
let followed = 0;
let runs = 0;

/** One chat after another until the time is over, each with its viewers at both gateways. */
async function lane(number: number, until: number): Promise<void> {
  await sleep((number / CHATS) * RAMP_MS);
  while (Date.now() < until && viewers.connected) {
    const request = post(
      { message: 'Tell me.', session_id: randomUUID() },
      { 'idempotency-key': randomUUID() },
    );
    const response = await ask(stack.chatUrl('/runs', { gateway: number % GATEWAYS }), request);
    if (response.status !== 202) throw new Error(`a chat was refused: ${await response.text()}`);
    const { run_id: runId } = (await response.json()) as { run_id: string };
    for (let gateway = 0; gateway < GATEWAYS; gateway += 1) {
      const url = stack.chatUrl(`/runs/${runId}/events`, { gateway });
      const share = Math.floor((VIEWERS_A_CHAT + gateway) / GATEWAYS);
      viewers.send({ url, viewers: share, text: PIECES.join('') } satisfies Follow);
      followed += share;
    }
    await untilEnded(stack.chatUrl(`/runs/${runId}?wait=30`, { gateway: number % GATEWAYS }));
    runs += 1;
  }
}

/** An idle connection may be closed by the gateway at the moment in which the next request takes it. */
async function ask(url: string, init?: RequestInit): Promise<Response> {
  return fetch(url, init).catch(() => fetch(url, init));
}

async function untilEnded(url: string): Promise<void> {
  for (;;) {
    const { status } = (await (await ask(url)).json()) as { status: string };
    if (status === 'completed') return;
    if (status === 'failed' || status === 'cancelled') throw new Error(`a run ended as ${status}`);
  }
}

async function measure(until: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  await sleep(RAMP_MS + SAMPLE_SECONDS * 1_000);
  while (Date.now() < until) {
    samples.push(await sampleOf(stack, database, heapFolder));
    progress(`${counts.open} viewers, ${counts.events} events, ${runs} runs, ${counts.faults.length} faults`);
    await sleep(SAMPLE_SECONDS * 1_000);
  }
  return samples;
}

async function untilAllViewersEnded(): Promise<void> {
  const deadline = Date.now() + LAST_CHATS_MS;
  while (counts.ended < followed && Date.now() < deadline) await sleep(1_000);
}

try {
  await model.line('model ready');
  const modelUrl =
    model.lines
      .find((line) => line.startsWith('model ready'))
      ?.split(' ')
      .at(-1) ?? '';
  await stack.createModelConfig({ base_url: modelUrl, model: 'scripted' });
  const until = Date.now() + RAMP_MS + MINUTES * 60_000;
  const lanes = Promise.all(Array.from({ length: CHATS }, (_, number) => lane(number, until)));
  const [samples] = await Promise.all([measure(until), lanes]);
  await untilAllViewersEnded();
  console.log(
    `${MINUTES} min, ${CHATS} chats with ${VIEWERS_A_CHAT} viewers each: ${runs} runs, ${counts.events} events; ` +
      `of ${followed} viewings ${counts.ended} ended, ${counts.resumed} resumed, ${counts.faults.length} faults`,
  );
  console.log(`\n${trendTable(samples, SAMPLE_SECONDS)}`);
  for (const fault of counts.faults) console.log(fault);
  if (counts.faults.length > 0 || counts.ended !== followed) process.exitCode = 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  if (viewers.connected) viewers.disconnect();
  await database.pool.end();
  await stack.stop();
  await model.stop();
  await rm(heapFolder, { recursive: true, force: true });
}
