import { computesFor, consoleHost, deviceTypeOf, type Gns3Compute, type Gns3Node } from '@copilot/gns3';
import type { ConsoleTarget } from '../consoles/console-access';
import { chooseDriver } from '../consoles/drivers';
import type { ConsoleDriver } from '../consoles/drivers/driver';
import { listedNames } from './listed-names';
import type { ToolContext } from './tool-context';

/** A node whose console can be used. */
export interface Device {
  name: string;
  driver: ConsoleDriver;
  target: ConsoleTarget;
  /** What the result has to say about how the device was treated. */
  warning?: string;
}

export type FoundDevice = { device: Device } | { error: string };

/** The nodes of a project as the device tools see them. */
export class Lab {
  private constructor(
    private readonly status: string,
    private readonly nodes: readonly Gns3Node[],
    private readonly computes: readonly Gns3Compute[],
    private readonly serverHost: string,
  ) {}

  /** Read anew for every call: a console's port changes when its node is recreated. */
  static async read({ gns3, projectId, signal }: ToolContext): Promise<Lab> {
    const [project, nodes] = await Promise.all([
      gns3.getProject(projectId, signal),
      gns3.listNodes(projectId, signal),
    ]);
    return new Lab(project.status, nodes, await computesFor(gns3, nodes, signal), gns3.serverHost);
  }

  /** The device of that name or node id, or why its console cannot be used. Nothing is connected to. */
  find(name: string): FoundDevice {
    if (this.status !== 'opened') {
      return {
        error: `Project must be opened to use devices. Current status: ${this.status}. Open it in GNS3 and try again.`,
      };
    }
    const matches = this.nodes.filter((node) => node.name === name || node.node_id === name);
    const [node, ...others] = matches;
    if (node === undefined) {
      return {
        error: `Device '${name}' not found in topology or missing console_port. Known devices: ${this.names()}.`,
      };
    }
    if (others.length > 0) {
      const ids = matches.map(({ node_id, node_type }) => `${node_id} (${node_type})`).join(', ');
      return {
        error: `${matches.length} nodes are named '${name}'. Use one of their node ids as device_name: ${ids}.`,
      };
    }
    return this.device(node);
  }

  private device(node: Gns3Node): FoundDevice {
    const problem = consoleProblem(node);
    if (problem !== undefined || node.console == null) return { error: problem ?? noConsole(node) };
    const choice = chooseDriver(deviceTypeOf(node), node.node_type);
    if ('error' in choice) return { error: `Device '${node.name}': ${choice.error}` };
    const login = loginOf(node);
    return {
      device: {
        name: node.name,
        driver: choice.driver,
        target: {
          key: node.node_id,
          address: { host: consoleHost(node, this.serverHost, this.computes), port: node.console },
          driver: choice.driver,
          ...(login === undefined ? {} : { login }),
        },
        ...(choice.warning === undefined ? {} : { warning: choice.warning }),
      },
    };
  }

  private names(): string {
    return listedNames(
      this.nodes.filter((node) => consoleProblem(node) === undefined).map(({ name }) => name),
    );
  }
}

function noConsole(node: Gns3Node): string {
  return `Device '${node.name}' (${node.node_type}) has no console that takes commands.`;
}

function consoleProblem(node: Gns3Node): string | undefined {
  const type = node.console_type ?? 'none';
  if (type !== 'telnet' && type !== 'none') {
    return `Device '${node.name}' (${node.node_type}) has a console of type '${type}'; only telnet consoles take commands.`;
  }
  if (type === 'none' || node.console == null) return noConsole(node);
  if (node.status !== undefined && node.status !== null && node.status !== 'started') {
    return `Device '${node.name}' (${node.node_type}) is ${node.status}. Start it in GNS3 (right-click the node, Start) and try again.`;
  }
  return undefined;
}

function loginOf(node: Gns3Node): ConsoleTarget['login'] {
  const { default_username: username, default_password: password } = node;
  return username == null || username === '' ? undefined : { username, password: password ?? '' };
}
