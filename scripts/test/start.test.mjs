import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import {
  eventually,
  journalLines,
  leftInTemp,
  makeCheckout,
  nothingLeft,
  processesOf,
  runScript,
} from './fake-checkout.mjs';

let fake;
let running = [];

const start = (args, env) => {
  const script = runScript(fake, 'start.mjs', args, env);
  running.push(script);
  return script;
};
const banner = async (script) => {
  await script.line(/^Ctrl-C stops everything/);
  return {
    url: /Gateway\s+(\S+)/.exec(script.text())[1],
    curl: script.lines.find((line) => line.startsWith('curl ')),
  };
};
const pidOf = (app) =>
  Number(
    journalLines(fake)
      .findLast((line) => line.startsWith(`${app} started`))
      .split(' ')
      .at(-1),
  );

beforeEach(() => {
  fake = makeCheckout();
  running = [];
});

afterEach(async () => {
  for (const script of running) script.child.kill('SIGKILL');
  await Promise.all(running.map((script) => script.exited));
  await nothingLeft(fake);
  fake.remove();
});

test('starts everything, prints a curl line that works, and SIGTERM ends it in order with nothing left', async () => {
  const script = start();
  const { curl } = await banner(script);
  assert.match(
    execFileSync('sh', ['-c', curl], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    /tool_end[^]*done/,
  );
  assert.match(journalLines(fake).join('\n'), /gateway config:http:\/\/127\.0\.0\.1:\d+\/v1/);

  script.child.kill('SIGTERM');
  script.child.kill('SIGTERM');
  assert.deepEqual(await script.exited, { code: 0, signal: null });
  assert.deepEqual(processesOf(fake), []);
  assert.deepEqual(leftInTemp(fake), []);
  const ends = journalLines(fake)
    .filter((line) => /SIG|ended|orphaned/.test(line))
    .map((line) => line.replace(/ \d+$/, ''));
  assert.deepEqual(ends, [
    ...['gateway SIGTERM', 'gateway ended'],
    ...['agent-worker SIGTERM', 'agent-worker ended'],
    ...['tool-worker SIGTERM', 'tool-worker ended'],
    ...['demo SIGTERM', 'demo ended'],
  ]);
});

test('SIGKILL of the launcher leaves no process and no data folder', async () => {
  const script = start();
  await banner(script);
  assert.ok(processesOf(fake).some((line) => line.includes('redis')));
  script.child.kill('SIGKILL');
  await nothingLeft(fake);
  assert.deepEqual(
    leftInTemp(fake).filter((name) => !name.endsWith('.lock')),
    [],
  );
});

test('a process that dies is named and started again, the services too', async () => {
  const script = start();
  await banner(script);
  const former = pidOf('tool-worker');
  process.kill(former, 'SIGKILL');
  await script.line(/tool-worker died with signal SIGKILL; starting it again in 0\.2 s/);
  await eventually(
    () => pidOf('tool-worker') !== former,
    () => 'a second tool-worker',
  );

  const redis = () => processesOf(fake).find((line) => /redis-server 127|redis-server \*/.test(line));
  const formerRedis = redis().split(' ')[0];
  process.kill(Number(formerRedis), 'SIGKILL');
  await script.line(/redis died with/);
  await eventually(
    () => redis() !== undefined && !redis().startsWith(`${formerRedis} `),
    () => 'a second redis',
  );
});

test('the fifth death of one process within a minute stops everything with a non-zero code', async () => {
  const script = start();
  await banner(script);
  writeFileSync(`${fake.journal}.agent-worker.dies`, '');
  process.kill(pidOf('agent-worker'), 'SIGKILL');
  const { code } = await script.exited;
  assert.equal(code, 1);
  assert.match(script.text(), /agent-worker died with code 3, too often within a minute/);
  assert.deepEqual(processesOf(fake), []);
});

test('a death before the first readiness stops everything with a non-zero code', async () => {
  writeFileSync(`${fake.journal}.tool-worker.dies`, '');
  const script = start();
  const { code } = await script.exited;
  assert.equal(code, 1);
  assert.match(script.text(), /tool-worker ended with code 3 before it was ready/);
  assert.deepEqual(processesOf(fake), []);
  assert.deepEqual(leftInTemp(fake), []);
});

test('two launchers at once take different ports, and the end of one leaves the other alone', async () => {
  const scripts = [start(), start()];
  const banners = await Promise.all(scripts.map(banner));
  assert.notEqual(banners[0].url, banners[1].url);
  scripts[0].child.kill('SIGINT');
  await scripts[0].exited;
  const answer = await fetch(`${banners[1].url}/health/ready`);
  assert.equal(answer.status, 200);
});

test('a port that was asked for and is taken is a clear error', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  const script = start(['--port', String(port)]);
  const { code } = await script.exited;
  server.close();
  assert.equal(code, 1);
  assert.match(script.text(), new RegExp(`Port ${port} on 127.0.0.1 is taken`));
});

test('--data keeps data and secrets, and a second launcher may not use the same folder', async () => {
  const folder = `${fake.root}/data`;
  const kept = () => [
    readFileSync(`${folder}/secrets.json`, 'utf8'),
    statSync(`${folder}/postgres/cluster/PG_VERSION`).ino,
    readFileSync(`${folder}/redis/redis.conf`, 'utf8').includes('appendonly yes'),
  ];
  const first = start(['--data', folder]);
  await banner(first);
  const second = start(['--data', folder]);
  assert.equal((await second.exited).code, 1);
  assert.match(second.text(), /is in use by another launcher/);
  first.child.kill('SIGTERM');
  assert.equal((await first.exited).code, 0);
  const before = kept();
  assert.equal(before[2], true);

  const third = start(['--data', folder]);
  await banner(third);
  assert.deepEqual(kept(), before);
});

test('SIGTERM while it is starting ends it with nothing left', async () => {
  const script = start();
  await script.line(/Starting Redis/);
  script.child.kill('SIGTERM');
  await script.exited;
  assert.deepEqual(processesOf(fake), []);
  assert.deepEqual(leftInTemp(fake), []);
});
