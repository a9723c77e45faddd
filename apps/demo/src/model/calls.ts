import type { CommandsFor, PlannedCall } from './step';

/** A call takes this many devices at most; larger labs get several calls in the same turn. */
const DEVICES_PER_CALL = 50;

export const TOPOLOGY_TOOL = 'gns3_topology_reader';
export const SHOW_TOOL = 'execute_multiple_device_commands';
export const CONFIG_TOOL = 'execute_multiple_device_config_commands';
export const VPCS_TOOL = 'execute_vpcs_commands';

export function readTopology(): PlannedCall {
  return { tool: TOPOLOGY_TOOL, args: {}, devices: [] };
}

export function showOn(devices: readonly CommandsFor[]): PlannedCall[] {
  return inGroups(devices, SHOW_TOOL, 'commands');
}

export function configureOn(devices: readonly CommandsFor[]): PlannedCall[] {
  return inGroups(devices, CONFIG_TOOL, 'config_commands');
}

export function typeIntoPcs(devices: readonly CommandsFor[]): PlannedCall[] {
  return inGroups(devices, VPCS_TOOL, 'commands');
}

function inGroups(devices: readonly CommandsFor[], tool: string, field: string): PlannedCall[] {
  const calls: PlannedCall[] = [];
  for (let start = 0; start < devices.length; start += DEVICES_PER_CALL) {
    const group = devices.slice(start, start + DEVICES_PER_CALL);
    const configs = group.map(({ device, commands }) => ({ device_name: device, [field]: commands }));
    calls.push({ tool, args: { device_configs: configs }, devices: group });
  }
  return calls;
}
