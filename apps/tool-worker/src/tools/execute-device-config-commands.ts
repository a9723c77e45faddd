import { splitCommands, type DeviceConfigResult, type ToolArgs } from '@copilot/contracts';
import { disruptiveReason, forbiddenReason } from '../commands/forbidden';
import { judge } from '../commands/judge';
import { ConfigRun, type ConfigDialect } from './config-run';
import { Lab, type Device } from './lab';
import { onDevices, useConsole } from './on-devices';
import { consoleFault } from './transcript';
import { blockedFields, errorField, warningField } from './result-fields';
import type { ToolContext } from './tool-context';

type Args = ToolArgs<'execute_multiple_device_config_commands'>;
type Entry = Args['device_configs'][number];
type Result = DeviceConfigResult;

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
  const judged = judge(commandsOf(entry, config), [
    (command) => reasonInAnyLine(command, (line) => forbiddenReason(context.forbidden, line)),
    (command) => reasonInAnyLine(command, disruptiveReason),
    (command) => config.refuse?.(command),
  ]);
  const notes = { ...warningField(device), ...blockedFields(judged) };
  if (judged.allowed.length === 0) {
    return {
      device_name: entry.device_name,
      status: 'partial_success',
      output: 'No configuration commands to execute',
      config_commands: [],
      ...notes,
    };
  }
  const run = new ConfigRun(judged.allowed, config, device.driver.check, context.commandTimeoutMs);
  const fault = await useConsole(context, device, (session, signal) => run.on(session, signal));
  const faults = [...run.faults, ...(fault === undefined ? [] : [consoleFault(fault, run)])];
  const complete = faults.length === 0 && judged.blocked.length === 0;
  return {
    device_name: entry.device_name,
    status: complete ? 'success' : run.applied > 0 ? 'partial_success' : 'failed',
    output: run.output,
    config_commands: run.sent,
    ...notes,
    ...errorField(faults),
  };
}

function commandsOf({ config_commands }: Entry, config: ConfigDialect): string[] {
  const lines = splitCommands(config_commands);
  return config.join?.(lines) ?? lines;
}

/** The text of a banner is judged too: a device that refuses the banner takes each of its lines as a command. */
function reasonInAnyLine(
  command: string,
  reasonOf: (line: string) => string | undefined,
): string | undefined {
  return command
    .split('\n')
    .map(reasonOf)
    .find((reason) => reason !== undefined);
}
