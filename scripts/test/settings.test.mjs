import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatewayUrl, productSettings } from '../lib/app-settings.mjs';
import { assertNodeVersion, isInstalled } from '../lib/install.mjs';
import { socketFolderFor } from '../lib/postgres.mjs';
import { majorVersion } from '../lib/redis-binary.mjs';
import { parseStartOptions } from '../lib/start-options.mjs';

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
