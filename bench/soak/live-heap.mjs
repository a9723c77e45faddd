/**
 * Loaded into a process of the service by `--import`: on SIGWINCH collects all garbage and prints what is
 * left of the heap, in bytes, with the number of the asking. Resident memory alone does not tell a leak from
 * garbage that V8 has not needed to collect yet. (Nest shuts down on SIGUSR2, the usual choice.)
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
let asked = 0;

process.on('SIGWINCH', () => {
  collect();
  asked += 1;
  process.stdout.write(`live heap ${asked}: ${getHeapStatistics().used_heap_size}\n`);
});
