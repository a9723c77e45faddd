import { splitCommands, type DeviceCommandsResult, type ToolArgs } from '@copilot/contracts';
import { z } from 'zod';
import { forbiddenReason } from '../commands/forbidden';
import { judge, type Judged } from '../commands/judge';
import { readOnlyRefusal } from '../commands/read-only';
import { blockedFields, errorField, warningField } from './result-fields';
import { Lab, type Device } from './lab';
import { onDevices, useConsole } from './on-devices';
import type { ToolContext } from './tool-context';
import { runLines } from './run-lines';
import { consoleFault, Transcript } from './transcript';

type Args = ToolArgs<'execute_multiple_device_commands'>;
type Entry = Args['device_configs'][number];
type Result = DeviceCommandsResult;

/** Runs read-only commands on devices; one result a device, in the order of the request. */
export async function executeDeviceCommands(args: Args, context: ToolContext): Promise<Result[]> {
  const results = await onDevices<Entry, Result>(args.device_configs, await Lab.read(context), {
    run: (entry, device) => runOn(entry, device, context),
    refuse: (entry, error) => ({ device_name: entry.device_name, status: 'failed', output: '', error }),
  });
  throwIfGivenUp(context.signal);
  return results;
}

/** A read-only call can be made again, so a part of its results is worth keeping only when time ran out. */
function throwIfGivenUp(signal: AbortSignal): void {
  if (!timedOut.safeParse(signal.reason).success) signal.throwIfAborted();
}

const timedOut = z.object({ name: z.literal('TimeoutError') });

async function runOn(entry: Entry, device: Device, context: ToolContext): Promise<Result> {
  const judged = judgeLines(entry, device, context);
  const notes = { ...warningField(device), ...blockedFields(judged) };
  if (judged.allowed.length === 0) {
    return {
      device_name: entry.device_name,
      status: 'partial_success',
      output: 'No diagnostic commands to execute',
      diagnostic_commands: [],
      ...notes,
    };
  }
  const transcript = new Transcript();
  const faults: string[] = [];
  const fault = await useConsole(context, device, async (session, signal) => {
    const options = { timeoutMs: context.commandTimeoutMs, signal, confirm: false };
    // Most of what is read can also be read at user level; what cannot is refused by the device itself.
    await session.enable(options);
    await session.setUp(options);
    await runLines(judged.allowed, session, options, { transcript, faults });
  });
  if (fault !== undefined) faults.push(consoleFault(fault, transcript));
  const complete = faults.length === 0 && judged.blocked.length === 0;
  return {
    device_name: entry.device_name,
    status: complete ? 'success' : transcript.succeeded > 0 ? 'partial_success' : 'failed',
    output: transcript.text('\n\n'),
    diagnostic_commands: transcript.sent,
    ...notes,
    ...errorField(faults),
  };
}

function judgeLines(entry: Entry, { driver }: Device, { forbidden }: ToolContext): Judged {
  // `do` belongs to configuration mode, which the session has left.
  const lines = splitCommands(entry.commands).map((line) => line.replace(/^(do\s+)+/i, ''));
  return judge(lines, [
    (line) => forbiddenReason(forbidden, line),
    (line) => readOnlyRefusal(driver.family, line),
  ]);
}
