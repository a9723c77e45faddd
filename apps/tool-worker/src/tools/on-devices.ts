import { ConsoleError } from '../consoles/console-error';
import { ConsoleLockLostError } from '../consoles/console-locks';
import type { ConsoleSession } from '../consoles/console-session';
import type { Device, Lab } from './lab';
import type { ToolContext } from './tool-context';

/** Devices talked to at once by one call. */
const MAX_DEVICES_AT_ONCE = 10;

interface Entry {
  readonly device_name: string;
}

interface DeviceWork<E extends Entry, R> {
  run: (entry: E, device: Device) => Promise<R>;
  /** The result of an entry whose device cannot be used. */
  refuse: (entry: E, error: string) => R;
}

/**
 * Works on every entry, devices in parallel, and gives the results in the order of the request. Entries for
 * one device run one after the other: their order is the model's.
 */
export async function onDevices<E extends Entry, R>(
  entries: readonly E[],
  lab: Lab,
  work: DeviceWork<E, R>,
): Promise<R[]> {
  const results = new Map<number, R>();
  const lines = new Map<string, (() => Promise<void>)[]>();
  entries.forEach((entry, index) => {
    const found = lab.find(entry.device_name);
    if ('error' in found) {
      results.set(index, work.refuse(entry, found.error));
      return;
    }
    const { device } = found;
    const line = lines.get(device.target.key) ?? [];
    line.push(async () => void results.set(index, await work.run(entry, device)));
    lines.set(device.target.key, line);
  });
  await inParallel([...lines.values()]);
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}

/** Waits for every device even if one fails unexpectedly, so that no console is left in use. */
async function inParallel(lines: (() => Promise<void>)[][]): Promise<void> {
  const waiting = lines.values();
  const worker = async () => {
    for (const line of waiting) for (const task of line) await task();
  };
  const workers = Array.from({ length: Math.min(MAX_DEVICES_AT_ONCE, lines.length) }, worker);
  const failure = (await Promise.allSettled(workers)).find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

/**
 * Uses a device's console. Returns why that ended before `work` was done, or undefined. An abort while
 * waiting for the console is such a reason too.
 */
export async function useConsole(
  context: ToolContext,
  device: Device,
  work: (session: ConsoleSession, signal: AbortSignal) => Promise<void>,
): Promise<string | undefined> {
  const { consoles, runId, callId, signal, onWaiting } = context;
  const request = {
    owner: `${runId}/${callId}`,
    signal,
    onWaiting: (ahead: number) => onWaiting(device.name, ahead),
  };
  try {
    await consoles.withSession(device.target, request, work);
    return undefined;
  } catch (error) {
    if (error instanceof ConsoleError) return error.message;
    if (error instanceof ConsoleLockLostError) return error.message;
    if (signal.aborted) return 'The call was stopped while it waited for the console.';
    throw error;
  }
}
