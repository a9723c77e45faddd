/**
 * npm run chaos -- --minutes N --seed S [--chats N] [--parts kills,stops,links,redis,postgres] [--report FILE]
 *
 * Plays chats on the whole service while its processes and stores are killed, stopped, cut off and restarted, then
 * judges what is left by the rules of oracle/. Ends with 1 when one of them does not hold. See README.md.
 */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChaosRun, type ChaosOutcome } from './chaos-run';
import { judge, type Verdict } from './oracle/rules';
import { chaosOptions, repeatLine } from './plan/options';
import { World } from './world/world';

const MOST_SHOWN = 12;

const say = (text: string) => console.log(text);

async function main(): Promise<number> {
  const options = chaosOptions(process.argv.slice(2));
  say(`chaos: seed ${options.seed}, ${options.chats} chats in ${options.minutes} minutes`);
  const world = await World.start();
  let stopped = false;
  const stop = async () => {
    if (stopped) return;
    stopped = true;
    await world.stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().finally(() => process.exit(130)));
  }
  try {
    const outcome = await new ChaosRun(options, world, say).play();
    const verdicts = [...judge(outcome.evidence), ofRunner(outcome)];
    summarize(outcome, verdicts);
    const failed = verdicts.filter(({ breaches }) => breaches.length > 0).length;
    if (options.report !== undefined) {
      await writeFile(options.report, JSON.stringify({ passed: verdicts.length - failed, failed }));
    }
    if (failed === 0) return 0;
    say(`logs and evidence: ${await keep(world, outcome)}`);
    say(`again: ${repeatLine(options)}`);
    return 1;
  } finally {
    await stop();
  }
}

/** A runner that could not do what it was to do has shown nothing. */
function ofRunner({ failures }: ChaosOutcome): Verdict {
  return { rule: 'the runner did what its plan says', breaches: failures };
}

function summarize({ evidence, counts, restarts }: ChaosOutcome, verdicts: readonly Verdict[]): void {
  const { messages, runs, calls, commands, viewings } = evidence;
  const requests = messages.reduce((sum, message) => sum + message.requests, 0);
  const connections = viewings.reduce((sum, viewing) => sum + viewing.connections, 0);
  say('');
  say(`${messages.length} messages in ${requests} requests, ${runs.length} runs, ${calls.length} tool calls`);
  say(`${commands.length} lines on consoles, ${viewings.length} viewers over ${connections} connections`);
  say(
    `${counts.kills} kills, ${counts.stops} stops, ${counts.links} cuts, ${counts.redis} restarts of Redis, ${counts.postgres} of Postgres (${counts.skipped} skipped); ${restarts} processes started again`,
  );
  say(`ends: ${tally(runs.map(({ stopReason }) => stopReason ?? 'none'))}`);
  say(`calls: ${tally(calls.map(({ status }) => status))}`);
  for (const { rule, breaches } of verdicts) {
    say(`${breaches.length === 0 ? 'ok    ' : 'FAILED'} ${rule}`);
    for (const breach of breaches.slice(0, MOST_SHOWN)) say(`         ${breach}`);
    if (breaches.length > MOST_SHOWN) say(`         ... and ${breaches.length - MOST_SHOWN} more`);
  }
}

function tally(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${word} ${count}`).join(', ');
}

async function keep(world: World, { evidence }: ChaosOutcome): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'copilot-chaos-'));
  for (const { process } of world.parts) {
    await writeFile(join(folder, `${process.name}.log`), process.lines.join('\n'));
  }
  const shown = { ...evidence, model: { ...evidence.model, lastWords: [...evidence.model.lastWords] } };
  await writeFile(join(folder, 'evidence.json'), JSON.stringify(shown, null, 1));
  return folder;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
