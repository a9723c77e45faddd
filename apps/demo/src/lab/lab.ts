import { ConsoleServer } from '../consoles/console-server';
import type { Failures } from '../failures';
import { IosRouter } from '../ios/ios-router';
import { OspfDomain } from '../ios/ospf-domain';
import type { IosWorld, RouterView } from '../ios/router-view';
import { VpcsDevice } from '../vpcs/vpcs-device';
import { Cabling } from './cabling';
import { CommandRecord } from './command-record';
import { IpNetwork } from './ip-network';
import type { LabPlan, NodePlan } from './lab-plan';
import type { Device, Pace } from './world';

/** A node with a console: the device, and the port that clients connect to. */
export interface Station {
  readonly device: Device;
  readonly console: ConsoleServer;
}

/** The running lab: devices, the wires between them and their consoles. */
export class Lab implements IosWorld {
  readonly network: IpNetwork;
  readonly commands = new CommandRecord();
  private readonly routers = new Map<string, IosRouter>();
  private readonly stations = new Map<string, Station>();
  private readonly runningSwitches = new Set<string>();
  private domain: OspfDomain | undefined;

  constructor(
    readonly plan: LabPlan,
    readonly pace: Pace,
    private readonly host: string,
    private readonly failures: Failures,
  ) {
    const switches = plan.nodes.filter((node) => node.kind === 'switch').map((node) => node.name);
    for (const name of switches) this.runningSwitches.add(name);
    this.network = new IpNetwork(new Cabling(plan.links, switches, (name) => this.isRunning(name)));
    for (const [index, node] of plan.nodes.entries()) this.place(node, index);
  }

  async start(): Promise<void> {
    for (const { device, console } of this.stations.values()) {
      // Opened even where a failure switch refuses it: only so does the node have a port to show.
      await console.open();
      device.powerOn();
    }
    await this.applyFailures();
  }

  async close(): Promise<void> {
    for (const { device } of this.stations.values()) device.powerOff();
    await Promise.all([...this.stations.values()].map(({ console }) => console.close()));
  }

  station(name: string): Station | undefined {
    return this.stations.get(name);
  }

  isRunning(name: string): boolean {
    return this.stations.get(name)?.device.isRunning ?? this.runningSwitches.has(name);
  }

  async powerOn(name: string): Promise<void> {
    const station = this.stations.get(name);
    if (!station) this.runningSwitches.add(name);
    station?.device.powerOn();
    if (station && !this.failures.refusesConsole(name)) await station.console.open();
    this.changed();
  }

  async powerOff(name: string): Promise<void> {
    const station = this.stations.get(name);
    this.runningSwitches.delete(name);
    station?.device.powerOff();
    await station?.console.close();
    this.changed();
  }

  /** Opens and closes console ports by the failure switches that were just set. */
  async applyFailures(): Promise<void> {
    for (const [name, { device, console }] of this.stations) {
      if (this.failures.refusesConsole(name)) await console.close();
      else if (device.isRunning) await console.open();
    }
  }

  record(node: string, line: string, mode: string): void {
    this.commands.add(node, line, mode);
  }

  changed(): void {
    this.domain = undefined;
  }

  ospf(): OspfDomain {
    this.domain ??= new OspfDomain([...this.routers.values()], this.network);
    return this.domain;
  }

  router(name: string): RouterView | undefined {
    return this.routers.get(name);
  }

  private place(node: NodePlan, index: number): void {
    if (node.kind === 'switch') return;
    const write = (text: string): void => this.stations.get(node.name)?.console.broadcast(text);
    const device =
      node.kind === 'router'
        ? this.placeRouter(node, index, write)
        : new VpcsDevice(node, this, index, write);
    this.network.add(device);
    this.stations.set(node.name, { device, console: new ConsoleServer(device, this.host, this.failures) });
  }

  private placeRouter(node: NodePlan, index: number, write: (text: string) => void): IosRouter {
    const router = new IosRouter(node, this, index + 1, write);
    this.routers.set(node.name, router);
    return router;
  }
}
