import { randomUUID } from 'node:crypto';
import { NO_USAGE, type RunEvent } from '@copilot/contracts';
import { connectPatient, Subscriber, type RedisClient } from '@copilot/redis';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunEventReader, type LoggedEvent } from './run-event-reader';
import { FencedError, LogClosedError, RunEventWriter, type WriterFence } from './run-event-writer';
import { fencesKey, streamKey, type Cursor } from './keys';
import { WakeHub } from './wake-hub';

const DONE: RunEvent = { type: 'done', stop_reason: 'completed', usage: NO_USAGE };
const text = (content: string): RunEvent => ({ type: 'content', content });

let redis: RedisClient;
let subscriber: Subscriber;
let wakes: WakeHub;
let reader: RunEventReader;

beforeAll(() => {
  const url = process.env.REDIS_URL;
  if (!url) throw new Error('REDIS_URL is not set');
  redis = connectPatient(url, () => undefined);
  subscriber = new Subscriber(url, () => undefined);
  wakes = new WakeHub(subscriber);
  reader = new RunEventReader(redis, wakes);
});

afterAll(() => {
  redis.disconnect();
  subscriber.close();
});

function writer(runId: string, fence: WriterFence = { writer: 'agent', attempt: 1 }) {
  return new RunEventWriter(redis, runId, fence, 60);
}

async function read(runId: string, after?: Cursor): Promise<LoggedEvent[]> {
  const all: LoggedEvent[] = [];
  for await (const page of reader.tail(runId, after, AbortSignal.timeout(10_000))) all.push(...page);
  return all;
}

const contents = (logged: readonly LoggedEvent[]) =>
  logged.map(({ event }) => (event.type === 'content' ? event.content : event.type));

describe('a run event log', () => {
  it('gives a late reader everything in order, to the end', async () => {
    const runId = randomUUID();
    await writer(runId).append(text('a'), text('b'));
    await writer(runId, { writer: 'end', attempt: 0 }).append(DONE);
    expect(contents(await read(runId))).toEqual(['a', 'b', 'done']);
  });

  it('gives a reader that is there first every event as it comes', async () => {
    const runId = randomUUID();
    const reading = read(runId);
    const out = writer(runId);
    for (const letter of 'abcdefghij') await out.append(text(letter));
    await out.append(DONE);
    expect(contents(await reading)).toEqual([...'abcdefghij', 'done']);
  });

  it('goes on after any cursor it has given', async () => {
    const runId = randomUUID();
    await writer(runId).append(text('a'), text('b'), text('c'), DONE);
    const all = await read(runId);
    for (const [index, { cursor }] of all.entries()) {
      expect(await reader.resumePoint(runId, cursor)).toBe(cursor);
      expect(await read(runId, cursor)).toEqual(all.slice(index + 1));
    }
  });

  it('starts from the beginning for a cursor that is malformed or of another run', async () => {
    const [mine, other] = [randomUUID(), randomUUID()];
    await writer(other).append(text('x'), DONE);
    await writer(mine).append(text('a'), DONE);
    const [foreign] = await read(other);
    expect(await reader.resumePoint(mine, foreign?.cursor)).toBeUndefined();
    for (const bad of [
      '',
      'abc',
      '1-0',
      `${mine}/`,
      `${mine}/1`,
      `${mine}/$`,
      `${mine}/99999999999999999999-0`,
    ]) {
      expect(await reader.resumePoint(mine, bad)).toBeUndefined();
    }
  });

  it('refuses an older attempt of a writer and leaves no trace of it', async () => {
    const runId = randomUUID();
    const former = writer(runId, { writer: 'agent', attempt: 1 });
    await former.append(text('a'));
    await writer(runId, { writer: 'agent', attempt: 2 }).append(text('b'));
    await expect(former.append(text('stale'))).rejects.toThrow(FencedError);
    await writer(runId, { writer: 'end', attempt: 0 }).append(DONE);
    expect(contents(await read(runId))).toEqual(['a', 'b', 'done']);
  });

  it('adds nothing twice when a writer repeats itself after a crash', async () => {
    const runId = randomUUID();
    const fence = { writer: 'call-end:c1', attempt: 0 } as const;
    await writer(runId, fence).append(text('result'));
    await writer(runId, fence).append(text('result'));
    await writer(runId).append(DONE);
    expect(contents(await read(runId))).toEqual(['result', 'done']);
  });

  it('takes nothing after done', async () => {
    const runId = randomUUID();
    await writer(runId).append(DONE);
    await expect(writer(runId, { writer: 'end', attempt: 0 }).append(DONE)).rejects.toThrow(LogClosedError);
    expect(contents(await read(runId))).toEqual(['done']);
  });

  it('E8: keeps every character', async () => {
    const runId = randomUUID();
    const pieces = ['\n\n', ' x', 'x\n', '\r', '\u2028', 'data: y', '\0', 'é漢👩‍🚒'];
    await writer(runId).append(...pieces.map(text), DONE);
    expect(contents(await read(runId)).slice(0, -1)).toEqual(pieces);
  });

  it('that is lost while it is read shows as silence, and what is written then comes too', async () => {
    const runId = randomUUID();
    await writer(runId).append(text('a'));
    const types: string[] = [];
    const silences: number[] = [];
    for await (const page of reader.tail(runId, undefined, AbortSignal.timeout(20_000))) {
      types.push(...contents(page));
      if (page.length > 0) continue;
      silences.push(types.length);
      if (silences.length === 1) await redis.del(streamKey(runId), fencesKey(runId));
      else await writer(runId, { writer: 'agent', attempt: 2 }).append(text('b'), DONE);
    }
    expect(types).toEqual(['a', 'b', 'done']);
    expect(silences).toEqual([1, 1]);
  });

  it('is whole only with its beginning', async () => {
    const runId = randomUUID();
    expect(await reader.isWhole(runId)).toBe(false);
    await writer(runId).append(text('a'));
    expect(await reader.isWhole(runId)).toBe(false);
    const other = randomUUID();
    await writer(other).append({ type: 'run', queue_position: 0 }, text('a'));
    expect(await reader.isWhole(other)).toBe(true);
  });

  it('expires after its end', async () => {
    const runId = randomUUID();
    await writer(runId).append(text('a'), DONE);
    expect(await redis.ttl(streamKey(runId))).toBeLessThanOrEqual(60);
  });

  it('subscribes to a run only while somebody reads it', async () => {
    const runId = randomUUID();
    const stop = new AbortController();
    const pages = reader.tail(runId, undefined, stop.signal);
    await writer(runId).append(text('a'));
    expect(contents((await pages.next()).value ?? [])).toEqual(['a']);
    expect(wakes.size).toBe(1);
    stop.abort();
    await pages.next();
    expect(wakes.size).toBe(0);
  });
});
