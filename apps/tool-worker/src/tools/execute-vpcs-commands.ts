import { splitCommands, type ToolArgs, type VpcsResult } from '@copilot/contracts';
import { disruptiveReason, forbiddenReason } from '../commands/forbidden';
import { judge } from '../commands/judge';
import { vpcsRefusal } from '../commands/vpcs-commands';
import { vpcs } from '../consoles/drivers/vpcs';
import { Lab, type Device } from './lab';
import { onDevices, useConsole } from './on-devices';
import { blockedFields, errorField } from './result-fields';
import type { ToolContext } from './tool-context';
import { runLines } from './run-lines';
import { consoleFault, Transcript } from './transcript';

type Args = ToolArgs<'execute_vpcs_commands'>;
type Entry = Args['device_configs'][number];
type Result = VpcsResult;

/** Runs commands on VPCS virtual PCs; one result a device, in the order of the request. */
export async function executeVpcsCommands(args: Args, context: ToolContext): Promise<Result[]> {
  return onDevices<Entry, Result>(args.device_configs, await Lab.read(context), {
    run: (entry, device) => runOn(entry, device, context),
    refuse: (entry, error) => failed(entry, error),
  });
}

function failed(entry: Entry, error: string): Result {
  return { device_name: entry.device_name, status: 'error', output: '', commands: [], error };
}

async function runOn(entry: Entry, device: Device, context: ToolContext): Promise<Result> {
  if (device.driver !== vpcs) {
    return failed(
      entry,
      `Device '${device.name}' is not a VPCS but a ${device.driver.name}. Use execute_multiple_device_commands or execute_multiple_device_config_commands.`,
    );
  }
  const judged = judge(splitCommands(entry.commands), [
    (line) => forbiddenReason(context.forbidden, line),
    disruptiveReason,
    vpcsRefusal,
  ]);
  const transcript = new Transcript();
  const faults: string[] = [];
  if (judged.allowed.length > 0) {
    const fault = await useConsole(context, device, (session, signal) => {
      const options = { timeoutMs: context.commandTimeoutMs, signal, confirm: true };
      const afterUnknown = ` Its outcome is unknown; check with '${vpcs.check}'.`;
      return runLines(judged.allowed, session, options, { transcript, faults }, afterUnknown);
    });
    if (fault !== undefined) faults.push(consoleFault(fault, transcript));
  }
  return {
    device_name: entry.device_name,
    status: faults.length === 0 && judged.blocked.length === 0 ? 'success' : 'error',
    output: transcript.text('\n\n'),
    commands: transcript.sent,
    ...blockedFields(judged),
    ...errorField(faults),
  };
}
