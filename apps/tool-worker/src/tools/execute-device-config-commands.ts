import type { DeviceConfigResult, ToolArgs } from '@copilot/contracts';
import { disruptiveReason, forbiddenReason } from '../commands/forbidden';
import { judge } from '../commands/judge';
import { splitCommands } from '../commands/split-commands';
import { ConfigRun } from './config-run';
import { Lab, type Device } from './lab';
import { onDevices, useConsole } from './on-devices';
import { blockedFields, errorField, warningField, type Warned } from './result-fields';
import type { ToolContext } from './tool-context';

type Args = ToolArgs<'execute_multiple_device_config_commands'>;
type Entry = Args['device_configs'][number];
type Result = Warned<DeviceConfigResult>;

/** Applies configuration lines on devices; one result a device, in the order of the request. */
export async function executeDeviceConfigCommands(args: Args, context: ToolContext): Promise<Result[]> {
  return onDevices<Entry, Result>(args.device_configs, await Lab.read(context), {
    run: (entry, device) => runOn(entry, device, context),
    refuse: (entry, error) => ({ device_name: entry.device_name, status: 'failed', output: '', error }),
  });
}

async function runOn(entry: Entry, device: Device, context: ToolContext): Promise<Result> {
  const { config } = device.driver;
  if (config === undefined) {
    return {
      device_name: entry.device_name,
      status: 'failed',
      output: '',
      error: `Device '${device.name}' has no configuration mode (${device.driver.name}). Use execute_vpcs_commands.`,
    };
  }
  const judged = judge(splitCommands(entry.config_commands), [
    (line) => forbiddenReason(context.forbidden, line),
    disruptiveReason,
  ]);
  const fields = { device_name: entry.device_name, ...warningField(device), ...blockedFields(judged) };
  if (judged.allowed.length === 0) {
    return {
      ...fields,
      status: 'partial_success',
      output: 'No configuration commands to execute',
      config_commands: [],
    };
  }
  const run = new ConfigRun(judged.allowed, config, device.driver.check, context.commandTimeoutMs);
  const unused = await useConsole(context, device, (session, signal) => run.on(session, signal));
  const faults = [...run.faults, ...(unused === undefined ? [] : [unused])];
  const complete = faults.length === 0 && judged.blocked.length === 0;
  return {
    ...fields,
    status: complete ? 'success' : run.applied > 0 ? 'partial_success' : 'failed',
    output: run.output,
    config_commands: run.sent,
    ...errorField(faults),
  };
}
