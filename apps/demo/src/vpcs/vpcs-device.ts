import { DevicePower } from '../consoles/device-power';
import type { NodePlan } from '../lab/lab-plan';
import type { Hop, IpInterface } from '../lab/ip-node';
import { contains, networkOf, type Ipv4 } from '../lab/ipv4';
import type { Device, World } from '../lab/world';
import { addressCommand, readAddress, type VpcsAddress } from './vpcs-state';
import { runVpcs } from './vpcs-shell';
import type { VpcsView } from './vpcs-view';

const PORT = 'Ethernet0';

/** A VPCS virtual PC: one address, one gateway, a small command line. */
export class VpcsDevice implements Device, VpcsView {
  readonly forwards = false;
  readonly mac: string;
  current: VpcsAddress | undefined;
  private saved: readonly string[];
  private readonly power: DevicePower;

  constructor(
    readonly plan: NodePlan,
    readonly world: World,
    readonly index: number,
    write: (text: string) => void,
  ) {
    this.mac = `00:50:79:66:${((0x68 + (index >> 8)) & 0xff).toString(16)}:${(index & 0xff).toString(16).padStart(2, '0')}`;
    this.saved = plan.startup;
    const onFault = (error: unknown): void => world.fault(plan.name, error);
    this.power = new DevicePower(write, (terminal) => runVpcs(this, terminal), onFault);
  }

  get name(): string {
    return this.plan.name;
  }

  get isRunning(): boolean {
    return this.power.isOn;
  }

  powerOn(): void {
    if (this.isRunning) return;
    const [line] = this.saved;
    const address = line === undefined ? undefined : readAddress(line.split(' ').slice(1));
    this.current = address === 'not same subnet' ? undefined : address;
    this.power.on();
    this.world.changed();
  }

  powerOff(): void {
    this.power.off();
    this.world.changed();
  }

  save(): void {
    this.saved = this.current ? [addressCommand(this.current)] : [];
  }

  setAddress(address: VpcsAddress | undefined): void {
    this.current = address;
    this.world.changed();
  }

  type(text: string): void {
    this.power.terminal?.type(text);
  }

  greeting(): string {
    return '';
  }

  ipInterfaces(): IpInterface[] {
    if (!this.isRunning || !this.current) return [];
    const { address, prefixLength } = this.current;
    return [{ node: this.name, port: PORT, mac: this.mac, address, prefixLength }];
  }

  nextHop(destination: Ipv4): Hop | undefined {
    if (!this.current) return undefined;
    const { address, prefixLength, gateway } = this.current;
    const subnet = { network: networkOf(address, prefixLength), length: prefixLength };
    if (contains(subnet, destination)) return { port: PORT, nextHop: destination };
    return gateway === undefined ? undefined : { port: PORT, nextHop: gateway };
  }
}
