import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Trend, trends, trendTable } from './soak/report';
import type { Sample } from './soak/samples';
import { checkDescriptors, SoakedService } from './soak/service';
import { ViewersProcess } from './soak/viewers-process';
import { tallyTable, type Tally, wrongs } from './soak/tally';

/**
 * Many viewers on many chats that never stop, for minutes: no event may be lost or repeated, and memory and
 * connections are to stay as they are. `npm run bench:soak -- [--minutes 10] [--viewers 2000] [--chats 200]
 * [--warm-up 3] [--piece-ms 1500] [--json FILE]`, after `npm run build`. Ends with code 1 if anything was lost,
 * repeated or wrong.
 */
const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    viewers: { type: 'string', default: '2000' },
    chats: { type: 'string', default: '200' },
    /** Minutes before what counts: chats begin, and Redis comes to have as many logs as it will have. */
    'warm-up': { type: 'string', default: '3' },
    'piece-ms': { type: 'string', default: '1500' },
    json: { type: 'string' },
  },
});
const SAMPLE_MS = 10_000;
const RAMP_MS_A_CHAT = 150;

const minutes = positive('minutes');
const warmUp = positive('warm-up');
const viewers = positive('viewers');
const chats = positive('chats');
const pieceMs = positive('piece-ms');

function positive(name: 'minutes' | 'warm-up' | 'viewers' | 'chats' | 'piece-ms'): number {
  const value = Number(options[name]);
  if (value > 0) return value;
  throw new Error(`--${name} is ${options[name]} and must be a number above 0`);
}

const progress = (text: string) => console.error(`${new Date().toISOString()} ${text}`);

/** Samples until the time is over, or somebody is no longer there. */
async function watch(
  service: SoakedService,
  audience: ViewersProcess,
  forMinutes: number,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const begun = performance.now();
  for (let nth = 0; nth * SAMPLE_MS <= forMinutes * 60_000; nth += 1) {
    await sleep(Math.max(0, begun + nth * SAMPLE_MS - performance.now()));
    const sample = await service.sample();
    samples.push(sample);
    progress(line(sample, audience.tally()));
  }
  return samples;
}

function line({ figures }: Sample, tally: Tally | undefined): string {
  const resident = Object.entries(figures)
    .filter(([name]) => name.endsWith(': resident MB'))
    .map(([name, mb]) => `${name.slice(0, -': resident MB'.length)} ${mb.toFixed(0)}`);
  const wrong = tally === undefined ? [] : wrongs(tally);
  return [
    `${figures['runs under way']} runs`,
    `${tally?.open ?? 0} viewers, ${tally?.events ?? 0} events, ${tally?.resumes ?? 0} resumes, ${tally?.repeatedCalls ?? 0} repeated calls`,
    wrong.length === 0 ? 'nothing wrong' : `WRONG: ${wrong.join(', ')}`,
    `MB: ${resident.join(', ')}`,
  ].join('; ');
}

async function measure(service: SoakedService, audience: ViewersProcess): Promise<Trend[]> {
  await watch(service, audience, warmUp);
  const before = await service.liveHeaps();
  progress('warm');
  const samples = await watch(service, audience, minutes);
  const after = await service.liveHeaps();
  const heaps = Object.entries(before).map(([name, firstMinute]) => {
    const lastMinute = after[name] ?? NaN;
    return { name, firstMinute, lastMinute, slopePerMinute: (lastMinute - firstMinute) / minutes };
  });
  return [...trends(samples), ...heaps];
}

await checkDescriptors(viewers);
const service = await SoakedService.start({ chats, pieceMs });
const audience = ViewersProcess.start({
  chatUrls: service.chatUrls,
  chats,
  viewers,
  pieceMs,
  rampMs: chats * RAMP_MS_A_CHAT,
});
try {
  const all = await measure(service, audience);
  progress('no new messages; the runs under way end');
  const tally = await audience.finish();
  const wrong = wrongs(tally);
  console.log(`${trendTable(all)}\n\n${tallyTable(tally)}`);
  for (const note of Object.values(tally.notes).flat()) console.log(note);
  if (options.json !== undefined) {
    const plan = { minutes, warmUp, viewers, chats, pieceMs };
    await writeFile(options.json, JSON.stringify({ name: 'soak', plan, trends: all, tally }, null, 2));
  }
  if (wrong.length > 0) process.exitCode = 1;
} finally {
  await audience.stop();
  await service.stop();
}
