import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatewayUrl, productSettings } from '../lib/app-settings.mjs';
import { bannerText } from '../lib/banner.mjs';
import { DeathRecord } from '../lib/death-record.mjs';
import { withoutPassword } from '../lib/external-services.mjs';
import { assertNodeVersion, isInstalled } from '../lib/install.mjs';
import { Layers } from '../lib/layers.mjs';
import { humanLine, parseLogLine } from '../lib/log-lines.mjs';
import { socketFolderFor } from '../lib/postgres.mjs';
import { majorVersion } from '../lib/redis-binary.mjs';
import { parseStartOptions } from '../lib/start-options.mjs';
import { deduplicate } from '../lib/stop-signals.mjs';
import { jestCounts, selectSteps, tapCounts } from '../lib/test-steps.mjs';

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

test('start options: defaults, and --port before PORT', () => {
  assert.deepEqual(parseStartOptions([], {}), {
    help: false,
    demo: true,
    dataDir: undefined,
    port: undefined,
    nodes: undefined,
    agents: 1,
    tools: 1,
  });
  assert.equal(parseStartOptions(['--port', '4000'], { PORT: '5000' }).port, 4000);
  assert.equal(parseStartOptions([], { PORT: '5000' }).port, 5000);
});

test('start options: what is unknown, out of range or incomplete is a clear error', () => {
  const cases = [
    [['--fast'], {}, /--fast/],
    [['extra'], {}, /extra/],
    [['--port', '70000'], {}, /--port must be a whole number from 1 to 65535, not "70000"/],
    [['--agents', '0'], {}, /--agents must be a whole number/],
    [['--no-demo'], {}, /--no-demo needs GNS3_URL/],
    [[], { PORT: 'x' }, /PORT must be a whole number/],
  ];
  for (const [args, env, message] of cases) assert.throws(() => parseStartOptions(args, env), message);
});

test('node_modules are complete when every package that is not optional is there in its version', () => {
  const lockfile = {
    packages: {
      '': { version: '1.0.0' },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b-darwin': { version: '2.0.0', optional: true },
    },
  };
  assert.equal(isInstalled(lockfile, { packages: { 'node_modules/a': { version: '1.0.0' } } }), true);
  assert.equal(isInstalled(lockfile, { packages: { 'node_modules/a': { version: '0.9.0' } } }), false);
  assert.equal(isInstalled(lockfile, {}), false);
});

test('Node older than 20.19 is refused', () => {
  for (const version of ['20.19.0', '22.1.0', '24.0.0']) assertNodeVersion(version);
  for (const version of ['20.18.1', '18.20.0'])
    assert.throws(() => assertNodeVersion(version), /20\.19 or newer/);
});

test('the version of Redis and of Valkey is read from what they print', () => {
  assert.equal(majorVersion('Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0'), 7);
  assert.equal(majorVersion('Valkey server v=8.1.3 sha=00000000:0'), 8);
  assert.equal(majorVersion('command not found'), null);
});

test("Postgres's socket is left out where its path would be too long for the kernel", () => {
  assert.equal(socketFolderFor('/tmp/a/postgres'), '/tmp/a/postgres/socket');
  assert.equal(socketFolderFor(`/tmp/${'a'.repeat(100)}`), '');
});

test('a URL is shown without its password', () => {
  assert.equal(withoutPassword('postgres://me:hush@db:5432/x'), 'postgres://me:***@db:5432/x');
  assert.doesNotMatch(withoutPassword('postgres://db/x?user=me&password=hush'), /hush/);
  assert.equal(withoutPassword('redis://127.0.0.1:6379'), 'redis://127.0.0.1:6379');
});

test("what the caller's environment sets wins over the demo's settings", () => {
  const demo = { gns3Url: 'http://127.0.0.1:1' };
  const common = { port: 3090, services: { REDIS_URL: 'redis://own' }, secretKey: 'generated', demo };
  const plain = productSettings({}, common);
  assert.equal(plain.GNS3_URL, 'http://127.0.0.1:1');
  assert.equal(plain.AUTH_MODE, 'none');
  assert.equal(plain.SECRET_KEY, 'generated');
  const given = productSettings({ GNS3_URL: 'http://lab', SECRET_KEY: 'mine', AUTH_MODE: '' }, common);
  assert.deepEqual([given.GNS3_URL, given.SECRET_KEY, given.AUTH_MODE], ['http://lab', 'mine', 'none']);
  assert.deepEqual([given.PORT, given.REDIS_URL], ['3090', 'redis://own']);
});

test('without the demo no lab, login or model host is invented', () => {
  const settings = productSettings(
    { GNS3_URL: 'http://lab' },
    { port: 1, services: {}, secretKey: 's', demo: undefined },
  );
  assert.equal(settings.GNS3_USERNAME, undefined);
  assert.equal(settings.MODEL_ALLOWED_HOSTS, undefined);
});

test('a gateway that listens everywhere is reached over loopback', () => {
  assert.equal(gatewayUrl('0.0.0.0', 3090), 'http://127.0.0.1:3090');
  assert.equal(gatewayUrl('::1', 3090), 'http://[::1]:3090');
});

test('the banner has one curl line that works as printed, and without a model how to create one', () => {
  const url = 'http://127.0.0.1:3090';
  const curls = (text) => text.split('\n').filter((line) => line.startsWith('curl '));
  assert.deepEqual(curls(bannerText({ url, projectId: 'p1', modelReady: true })), [
    `curl -N -X POST ${url}/v3/projects/p1/chat/stream -H 'content-type: application/json' ` +
      `-d '{"message":"Show the status of all interfaces"}'`,
  ]);
  const [create] = curls(bannerText({ url, projectId: undefined, modelReady: false }));
  assert.equal(JSON.parse(/-d '(.*)'$/.exec(create)[1]).model_type, 'text');
});

test('a pino line becomes level, message and fields; other lines pass', () => {
  const line = JSON.stringify({
    level: 40,
    time: 1,
    pid: 2,
    hostname: 'h',
    msg: 'run failed',
    runId: 'r1',
    err: { message: 'no' },
  });
  assert.equal(humanLine(line), 'warn  run failed runId=r1 err=no');
  assert.equal(humanLine('plain text'), 'plain text');
  assert.equal(humanLine('{"half":'), '{"half":');
  assert.equal(parseLogLine('{"msg":"ready"}').msg, 'ready');
});

test('control characters of a device or a model never reach the terminal', () => {
  assert.equal(humanLine(JSON.stringify({ level: 30, msg: 'a\u001b[2Jb\u0007' })), 'info  a?[2Jb?');
  assert.equal(humanLine('a\u001b]0;x'), 'a?]0;x');
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

test('a jest run counts its tests, its broken files, and a bad exit that no test explains', () => {
  const report = (failed, broken) =>
    JSON.stringify({ numPassedTests: 5, numFailedTests: failed, numRuntimeErrorTestSuites: broken });
  assert.deepEqual(jestCounts(0, report(0, 0)), { passed: 5, failed: 0 });
  assert.deepEqual(jestCounts(1, report(2, 1)), { passed: 5, failed: 3 });
  assert.deepEqual(jestCounts(1, report(0, 0)), { passed: 5, failed: 1 });
  assert.deepEqual(jestCounts(1, ''), { passed: 0, failed: 1 });
});

test("a run of Node's own test runner counts failed and cancelled tests", () => {
  assert.deepEqual(tapCounts(1, '# tests 4\n# pass 2\n# fail 1\n# cancelled 1\n'), { passed: 2, failed: 2 });
  assert.deepEqual(tapCounts(1, ''), { passed: 0, failed: 1 });
});

test('--only keeps the named steps and what they cannot do without', () => {
  const steps = [
    { name: 'install' },
    { name: 'lint' },
    { name: 'build' },
    { name: 'unit' },
    { name: 'e2e', needsBuild: true },
  ];
  const names = (only) => selectSteps(steps, only).map((step) => step.name);
  assert.deepEqual(names(['unit']), ['install', 'unit']);
  assert.deepEqual(names(['e2e']), ['install', 'build', 'e2e']);
  assert.equal(names(undefined).length, 5);
});
