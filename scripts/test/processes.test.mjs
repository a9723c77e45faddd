import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeathRecord } from '../lib/death-record.mjs';
import { Layers } from '../lib/layers.mjs';
import { deduplicate } from '../lib/stop-signals.mjs';

test('a dead process is started again after 0.2 s, doubling, and given up at the fifth death in a minute', () => {
  const record = new DeathRecord();
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((second) => record.record(second * 1000)),
    [200, 400, 800, 1600, null],
  );
});

test('deaths older than a minute are forgotten', () => {
  const record = new DeathRecord();
  for (const second of [0, 1, 2, 3]) record.record(second * 1000);
  assert.equal(record.record(70_000), 200);
});

test('equal signals within a second count as one, another signal or a later one does not', () => {
  let nowMs = 0;
  const seen = [];
  const handle = deduplicate(
    (signal, count) => seen.push(`${signal} ${count}`),
    () => nowMs,
  );
  handle('SIGINT');
  nowMs = 900;
  handle('SIGINT');
  handle('SIGTERM');
  nowMs = 2_000;
  handle('SIGINT');
  assert.deepEqual(seen, ['SIGINT 1', 'SIGTERM 2', 'SIGINT 3']);
});

test('a stop goes from the gateway inwards and takes the services down last, also what is still coming up', async () => {
  const order = [];
  const member = (name) => ({ stop: async (force) => order.push(force ? `${name} forced` : name) });
  const layers = new Layers();
  layers.add('services', Promise.resolve(member('services')), Promise.reject(new Error('did not start')));
  layers.add('tools', member('tools'));
  layers.add('gateway', member('gateway'));
  layers.add('agents', member('agents'));
  await layers.stop();
  assert.deepEqual(order, ['gateway', 'agents', 'tools', 'services']);
});
