import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { cacheFolder } from '../lib/cache-folder.mjs';
import { waitForExternal } from '../lib/external-services.mjs';
import { lockFile } from '../lib/lock-file.mjs';
import { makeLibraryLinks } from '../lib/postgres-binaries.mjs';

let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'launcher-test-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('a lock is held by one, released once, and taken over from a dead holder', async () => {
  const path = join(folder, 'lock');
  const release = await lockFile(path);
  assert.equal(await lockFile(path), null);
  await release();
  const second = await lockFile(path);
  await release();
  assert.equal(await lockFile(path), null);
  await second();

  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  writeFileSync(path, `${dead}\n`);
  const takenOver = await lockFile(path);
  assert.equal(readFileSync(path, 'utf8'), `${process.pid}\n`);
  await takenOver();
});

test('the cache takes the first folder that can be made and is closed to other users', async () => {
  const open = join(folder, 'open');
  mkdirSync(open);
  chmodSync(open, 0o777);
  writeFileSync(join(folder, 'file'), '');
  const good = join(folder, 'good', 'cache');
  assert.equal(await cacheFolder([join(folder, 'file', 'cache'), open, good]), good);
  await assert.rejects(cacheFolder([open]), /No folder for the cache/);
});

test('missing library links of the Postgres package are made, existing ones kept', async () => {
  const lib = join(folder, 'native', 'lib');
  mkdirSync(lib, { recursive: true });
  writeFileSync(join(lib, 'libx.so.1.2'), '');
  const links = ['libx.so', 'libx.so.1'].map((name) => ({
    source: 'native/lib/libx.so.1.2',
    target: `native/lib/${name}`,
  }));
  writeFileSync(join(folder, 'native', 'pg-symlinks.json'), JSON.stringify(links));
  await makeLibraryLinks(folder);
  await makeLibraryLinks(folder);
  assert.equal(readlinkSync(join(lib, 'libx.so.1')), 'libx.so.1.2');
  assert.equal(existsSync(join(lib, 'libx.so')), true);
});

const assertGoingOn = () => undefined;

async function serverThat(onConnection) {
  const server = createServer(onConnection).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { port: server.address().port, close: () => server.close() };
}

test('an external service that is down is waited for, then named without its password', async () => {
  const { port, close } = await serverThat(() => undefined);
  close();
  const url = `redis://:hush@127.0.0.1:${port}`;
  await assert.rejects(
    waitForExternal('REDIS_URL', url, { assertGoingOn, tryForMs: 30, retryMs: 10 }),
    (error) => {
      assert.match(
        error.message,
        new RegExp(`REDIS_URL redis://:\\*\\*\\*@127.0.0.1:${port} could not be reached .*ECONNREFUSED`),
      );
      assert.doesNotMatch(error.message, /hush/);
      return true;
    },
  );
});

test('an external service counts as up when it speaks its protocol, not when something else answers', async () => {
  const redis = await serverThat((socket) =>
    socket.once('data', () => socket.end('-NOAUTH Authentication required.\r\n')),
  );
  const postgres = await serverThat((socket) => socket.once('data', () => socket.end('N')));
  const web = await serverThat((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  );
  const once = { assertGoingOn, tryForMs: 0, retryMs: 1 };
  await waitForExternal('REDIS_URL', `redis://127.0.0.1:${redis.port}`, once);
  await waitForExternal('REDIS_URL', `redis://:hush@127.0.0.1:1,127.0.0.1:${redis.port}`, once);
  await waitForExternal('DATABASE_URL', `postgres://127.0.0.1:${postgres.port}/x`, once);
  await assert.rejects(waitForExternal('REDIS_URL', `redis://127.0.0.1:${web.port}`, once), /answered "HTTP/);
  await assert.rejects(
    waitForExternal('REDIS_URL', 'http://127.0.0.1:1', once),
    /REDIS_URL is not a URL of the form redis:/,
  );
  for (const server of [redis, postgres, web]) server.close();
});

test('the wait for an external service ends as soon as a stop was asked for', async () => {
  const { port, close } = await serverThat(() => undefined);
  close();
  const stopped = () => {
    throw new Error('stopped');
  };
  await assert.rejects(
    waitForExternal('REDIS_URL', `redis://127.0.0.1:${port}`, { assertGoingOn: stopped }),
    /stopped/,
  );
});
