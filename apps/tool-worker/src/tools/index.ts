import type { ToolArgs, ToolName } from '@copilot/contracts';
import { executeDeviceCommands } from './execute-device-commands';
import { executeDeviceConfigCommands } from './execute-device-config-commands';
import { executeVpcsCommands } from './execute-vpcs-commands';
import { gns3NodeDetails } from './gns3-node-details';
import { gns3TopologyReader } from './gns3-topology-reader';
import { readToolOutput } from './read-tool-output';
import type { ToolContext } from './tool-context';

type ToolRunners = {
  [Name in ToolName]: (args: ToolArgs<Name>, context: ToolContext) => Promise<unknown>;
};

/** What each tool of the catalogue does. */
export const TOOL_RUNNERS: ToolRunners = {
  gns3_topology_reader: gns3TopologyReader,
  gns3_node_details: gns3NodeDetails,
  read_tool_output: readToolOutput,
  execute_multiple_device_commands: executeDeviceCommands,
  execute_multiple_device_config_commands: executeDeviceConfigCommands,
  execute_vpcs_commands: executeVpcsCommands,
};

export type { ToolContext, ToolScope, ToolServices } from './tool-context';
