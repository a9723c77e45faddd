import { IosRouter } from '../ios/ios-router';
import { OspfDomain } from '../ios/ospf-domain';
import type { IosWorld, RouterView } from '../ios/router-view';
import { VpcsDevice } from '../vpcs/vpcs-device';
import { Cabling } from './cabling';
import { CommandRecord } from './command-record';
import { IpNetwork } from './ip-network';
import type { LabPlan, NodePlan } from './lab-plan';
import type { Device, Pace } from './world';

export interface LabOutput {
  /** Text for everyone who watches a device's console. */
  screen(node: string, text: string): void;
  /** A device's program failed by a mistake of ours; the device starts anew. */
  fault(node: string, error: unknown): void;
}

export type NodeStatus = 'started' | 'stopped' | 'suspended';

/** The simulated lab: devices, the wires between them and their power. Consoles are opened elsewhere. */
export class Lab implements IosWorld {
  readonly network: IpNetwork;
  readonly commands = new CommandRecord();
  readonly devices = new Map<string, Device>();
  private readonly routers = new Map<string, IosRouter>();
  private readonly runningSwitches = new Set<string>();
  private readonly suspended = new Set<string>();
  private domain: OspfDomain | undefined;

  constructor(
    readonly plan: LabPlan,
    readonly pace: Pace,
    private readonly output: LabOutput,
  ) {
    const switches = plan.nodes.filter((node) => node.kind === 'switch').map((node) => node.name);
    for (const name of switches) this.runningSwitches.add(name);
    this.network = new IpNetwork(new Cabling(plan.links, switches, (name) => this.isRunning(name)));
    for (const [index, node] of plan.nodes.entries()) this.place(node, index);
  }

  startAll(): void {
    for (const device of this.devices.values()) device.powerOn();
  }

  stopAll(): void {
    for (const device of this.devices.values()) device.powerOff();
  }

  isRunning(name: string): boolean {
    return this.status(name) === 'started';
  }

  status(name: string): NodeStatus {
    const isOn = this.devices.get(name)?.isRunning ?? this.runningSwitches.has(name);
    if (!isOn) return 'stopped';
    return this.suspended.has(name) ? 'suspended' : 'started';
  }

  /** Starts a node, or lets a suspended one go on where it was. */
  powerOn(name: string): void {
    const device = this.devices.get(name);
    this.suspended.delete(name);
    if (device) device.powerOn();
    else this.runningSwitches.add(name);
    this.changed();
  }

  powerOff(name: string): void {
    this.suspended.delete(name);
    this.runningSwitches.delete(name);
    this.devices.get(name)?.powerOff();
    this.changed();
  }

  /** A suspended node keeps all it knows, and nobody hears of it. */
  suspend(name: string): void {
    if (this.isRunning(name)) this.suspended.add(name);
    this.changed();
  }

  record(node: string, line: string, mode: string): void {
    this.commands.add(node, line, mode);
  }

  fault(node: string, error: unknown): void {
    this.output.fault(node, error);
  }

  changed(): void {
    this.domain = undefined;
  }

  ospf(): OspfDomain {
    this.domain ??= new OspfDomain(this.routers, this.network);
    return this.domain;
  }

  router(name: string): RouterView | undefined {
    return this.routers.get(name);
  }

  private place(node: NodePlan, index: number): void {
    if (node.kind === 'switch') return;
    const write = (text: string): void => this.output.screen(node.name, text);
    const device =
      node.kind === 'router'
        ? this.placeRouter(node, index, write)
        : new VpcsDevice(node, this, index, write);
    this.network.add(device);
    this.devices.set(node.name, device);
  }

  private placeRouter(node: NodePlan, index: number, write: (text: string) => void): IosRouter {
    const router = new IosRouter(node, this, index + 1, write);
    this.routers.set(node.name, router);
    return router;
  }
}
