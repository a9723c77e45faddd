import { endWithParent } from '@copilot/config';
import { Chat } from './chat';
import { newTally } from './tally';
import type { SoakPlan } from './workload';

/**
 * All chats and their viewers, in a process of its own. Prints what they have had every second; on SIGUSR1
 * sends nothing new, and ends when all runs are over and compared.
 */
const PRINT_MS = 1_000;

endWithParent();
const plan = JSON.parse(process.env.SOAK_PLAN ?? '') as SoakPlan;
const tally = newTally();
const stop = new AbortController();
process.on('SIGUSR1', () => stop.abort());

const print = () => console.log(`tally ${JSON.stringify(tally)}`);
const printing = setInterval(print, PRINT_MS);
const viewersOf = (nth: number) =>
  Math.floor(plan.viewers / plan.chats) + (nth < plan.viewers % plan.chats ? 1 : 0);
await Promise.all(
  Array.from({ length: plan.chats }, (_, nth) =>
    new Chat(nth, viewersOf(nth), plan, tally).talk(stop.signal),
  ),
);
clearInterval(printing);
print();
process.exit();
