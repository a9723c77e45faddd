import assert from 'node:assert/strict';
import { test } from 'node:test';
import { audible } from '../lib/app-settings.mjs';
import { bannerText } from '../lib/banner.mjs';
import { withoutPassword } from '../lib/external-services.mjs';
import { humanLine, linePrinter, parseLogLine } from '../lib/log-lines.mjs';

test('a URL is shown without its password', () => {
  assert.equal(withoutPassword('postgres://me:hush@db:5432/x'), 'postgres://me:***@db:5432/x');
  assert.doesNotMatch(withoutPassword('postgres://db/x?user=me&password=hush'), /hush/);
  assert.equal(withoutPassword('redis://127.0.0.1:6379'), 'redis://127.0.0.1:6379');
  assert.equal(withoutPassword('redis://:hush@a:1,b:2'), 'redis://:***@a:1,b:2');
  assert.equal(withoutPassword('redis://a:1,b:2'), 'redis://a:1,b:2');
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

test("a level that hides the workers' ready line is asked for as info, and applied when lines are printed", () => {
  assert.equal(audible({ LOG_LEVEL: 'error' }).LOG_LEVEL, 'info');
  assert.equal(audible({ LOG_LEVEL: 'debug' }).LOG_LEVEL, 'debug');
  const written = [];
  const print = linePrinter('app', 0, { levelName: 'warn', write: (text) => written.push(text.trim()) });
  for (const level of [30, 40]) print(JSON.stringify({ level, msg: `level ${level}` }));
  print('no record');
  assert.deepEqual(written, ['app            warn  level 40', 'app            no record']);
});

test('control characters of a device or a model never reach the terminal', () => {
  assert.equal(humanLine(JSON.stringify({ level: 30, msg: 'a\u001b[2Jb\u0007' })), 'info  a?[2Jb?');
  assert.equal(humanLine('a\u001b]0;x'), 'a?]0;x');
});
