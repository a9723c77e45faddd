import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const STEPS = fileURLToPath(new URL('../lib/steps.mjs', import.meta.url));

/** Runs the steps that `source` makes of `command(code)`; resolves with exit code and output. */
function run(source) {
  const script = `
    import { asCounts, runInStep, runSteps } from ${JSON.stringify(STEPS)};
    const command = (code) => async (output) => asCounts(
      (await runInStep({ command: process.execPath, args: ['-e', code], timeoutMs: 20_000, output })) === 0);
    process.exitCode = await runSteps(${source}, async () => undefined);
  `;
  return new Promise((resolve) => {
    // What is said, and what the steps write, as they are seen at a terminal.
    const args = ['-c', 'exec "$0" --input-type=module --eval "$1" 2>&1', process.execPath, script];
    execFile('sh', args, (error, output) => resolve({ code: error?.code ?? 0, output }));
  });
}

/** Says its first word, waits until the other has said its own, and says the second. */
const together = (own, other, folder) => `
  const { existsSync, writeFileSync } = require('node:fs');
  console.log('${own}1');
  writeFileSync('${folder}/${own}', '');
  const look = () => (existsSync('${folder}/${other}') ? console.log('${own}2') : setTimeout(look, 20));
  look();
`;

test('steps that go together run at once, each with its output in one piece', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gns3-copilot-steps-test-'));
  const { code, output } = await run(`[
    { name: 'one', together: true, run: command(${JSON.stringify(together('a', 'b', folder))}) },
    { name: 'two', together: true, run: command(${JSON.stringify(`${together('b', 'a', folder)}; process.exitCode = 3`)}) },
    { name: 'last', run: command("console.log('alone')") },
  ]`);
  await rm(folder, { recursive: true });
  assert.match(output, /=== one, two \(side by side\)/);
  assert.match(output, /a1\na2\n--- ok {5}one/);
  assert.match(output, /b1\nb2\n--- FAILED two/);
  assert.match(output, /=== last\nalone\n--- ok {5}last/);
  assert.match(output, /\n2 passed, 1 failed\n$/);
  assert.equal(code, 1);
});

test('nothing runs after an essential step that failed', async () => {
  const { code, output } = await run(`[
    { name: 'first', essential: true, run: command('process.exitCode = 1') },
    { name: 'never', run: command("console.log('reached')") },
  ]`);
  assert.doesNotMatch(output, /reached/);
  assert.match(output, /\n0 passed, 1 failed\n$/);
  assert.equal(code, 1);
});
