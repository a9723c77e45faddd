/** npm start: everything that the service needs, from a bare checkout to a ready gateway; --help tells more. */
import { bannerText } from './lib/banner.mjs';
import { bringUp } from './lib/bring-up.mjs';
import { describeFailure, LaunchError } from './lib/launch-error.mjs';
import { Layers } from './lib/layers.mjs';
import { endRunningCommands } from './lib/run-guarded.mjs';
import { HELP, parseStartOptions } from './lib/start-options.mjs';
import { onStopSignals } from './lib/stop-signals.mjs';
import { say } from './lib/terminal.mjs';

const layers = new Layers();
let failed = false;
let stopRequested = false;
let requestStop;
const stop = new Promise((resolve) => {
  requestStop = () => {
    stopRequested = true;
    void endRunningCommands();
    resolve();
  };
});

function fail(message) {
  if (stopRequested) return;
  failed = true;
  say(`! ${message}`);
  requestStop();
}

function assertGoingOn() {
  if (stopRequested) throw new LaunchError('stopped');
}

async function bringUpAndTell(options) {
  try {
    const result = await bringUp({ options, env: process.env, layers, onGiveUp: fail, assertGoingOn });
    const keepsData = options.dataDir !== undefined || Boolean(process.env.DATABASE_URL);
    if (!stopRequested) process.stdout.write(`\n${bannerText({ ...result, keepsData })}\n\n`);
  } catch (error) {
    fail(describeFailure(error));
  }
}

async function run(options) {
  onStopSignals((signal, count) => {
    if (count === 1) {
      say(`> ${signal}: stopping (once more to stop at once)`);
      requestStop();
    } else if (count === 2) void layers.stop(true);
    else process.exit(1);
  });
  const goingUp = bringUpAndTell(options);
  await stop;
  await layers.stop();
  // A step that was under way when the stop came has failed by now; what it started last is taken down too.
  await goingUp;
  await layers.stop();
  say('> all stopped');
}

try {
  const options = parseStartOptions(process.argv.slice(2), process.env);
  if (options.help) process.stdout.write(`${HELP}\n`);
  else await run(options);
} catch (error) {
  say(describeFailure(error));
  failed = true;
}
process.exit(failed ? 1 : 0);
