import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inCheckout } from '../lib/checkout.mjs';

/** Runs .ci/run with an npm that does as told for `npm test` and `npm run test:peers`. */
function ciRun(tests, peers) {
  const folder = mkdtempSync(join(tmpdir(), 'launcher-test-'));
  const npm = `#!/bin/sh\nif [ "$1" = test ]; then ${tests}; else ${peers}; fi\n`;
  writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env.PATH}` };
  const { status, stdout } = spawnSync(inCheckout('.ci', 'run'), { env, encoding: 'utf8' });
  rmSync(folder, { recursive: true, force: true });
  return { status, lastLine: stdout.trim().split('\n').at(-1) };
}

test('CI adds the counts of both runs', () => {
  const result = ciRun('echo "3 passed, 0 failed"', 'echo "2 passed, 0 failed"');
  assert.deepEqual(result, { status: 0, lastLine: '5 passed, 0 failed' });
});

test('CI fails when either run does, and still does the other', () => {
  const result = ciRun(
    'echo "3 passed, 1 failed"; echo "npm error" >&2; exit 1',
    'echo "2 passed, 0 failed"',
  );
  assert.deepEqual(result, { status: 1, lastLine: '5 passed, 1 failed' });
});

test('a run that breaks without its last line, or that ran nothing, is one failure', () => {
  assert.deepEqual(ciRun('exit 1', 'echo "2 passed, 0 failed"'), {
    status: 1,
    lastLine: '2 passed, 1 failed',
  });
  assert.deepEqual(ciRun('echo "0 passed, 0 failed"', 'echo "2 passed, 0 failed"'), {
    status: 1,
    lastLine: '2 passed, 1 failed',
  });
});
