/**
 * Loaded into a process of the service by `--import`: takes a processor profile from the first SIGWINCH to
 * the second and writes it to COPILOT_PROFILE_FOLDER. (Nest shuts down on SIGUSR2, the usual choice, and
 * Node does not let `--cpu-prof` stand in NODE_OPTIONS.)
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { basename, dirname, join } from 'node:path';

const session = new Session();
session.connect();
session.post('Profiler.enable');
// From the beginning, and cut afterwards: to begin in the middle halts a busy process for a second or more.
session.post('Profiler.start');
let begunAtUs;

process.on('SIGWINCH', () => {
  if (begunAtUs === undefined) {
    begunAtUs = Number(process.hrtime.bigint() / 1_000n);
    return;
  }
  session.post('Profiler.stop', (error, result) => {
    if (error) return;
    const app = basename(dirname(process.argv[1] ?? ''));
    const file = join(process.env.COPILOT_PROFILE_FOLDER ?? '.', `${app}-${process.pid}.cpuprofile`);
    writeFileSync(file, JSON.stringify(cut(result.profile, begunAtUs)));
  });
});

function cut(profile, fromUs) {
  let atUs = profile.startTime;
  const skipped = profile.timeDeltas.findIndex((delta) => (atUs += delta) >= fromUs);
  return {
    ...profile,
    startTime: fromUs,
    samples: profile.samples.slice(skipped),
    timeDeltas: profile.timeDeltas.slice(skipped),
  };
}
