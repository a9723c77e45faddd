export { forgetLog } from './forget-log';
export type { Cursor } from './keys';
export { RunEventReader, type LoggedEvent } from './run-event-reader';
export { FencedError, LogClosedError, RunEventWriter, type WriterFence } from './run-event-writer';
export { RunSignals, signalRun } from './run-signals';
export { WakeHub } from './wake-hub';
