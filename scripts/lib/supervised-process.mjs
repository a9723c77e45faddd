import { exitText } from './child-process.mjs';
import { DeathRecord } from './death-record.mjs';
import { say } from './terminal.mjs';

/**
 * Keeps one process alive: `start` returns a handle of child-process.mjs. `ready` resolves when the process is
 * ready for the first time, with what made it so; a death before that rejects it and nothing is started again.
 * Afterwards a death is named and the process started again; when it dies too often, `onGiveUp(message)` is
 * called once.
 */
export function superviseProcess({ name, start, onGiveUp }) {
  const deaths = new DeathRecord();
  let handle = start();
  let stopping = false;
  let restartTimer;

  function restart() {
    handle = start();
    watch();
  }

  function watch() {
    void handle.exited.then((exit) => {
      if (stopping) return;
      const delayMs = deaths.record(Date.now());
      if (delayMs === null) {
        stopping = true;
        onGiveUp(`${name} died with ${exitText(exit)}, too often within a minute: giving up`);
        return;
      }
      say(`! ${name} died with ${exitText(exit)}; starting it again in ${delayMs / 1000} s`);
      restartTimer = setTimeout(restart, delayMs);
    });
  }

  const stop = (force) => {
    stopping = true;
    clearTimeout(restartTimer);
    return handle.stop(force);
  };

  const ready = handle.ready.then(
    (reason) => {
      watch();
      return reason;
    },
    async (error) => {
      await stop(true);
      throw error;
    },
  );
  ready.catch(() => undefined);
  return { name, ready, stop, pid: () => handle.pid };
}
