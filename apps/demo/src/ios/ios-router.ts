import { DevicePower } from '../consoles/device-power';
import type { Terminal } from '../consoles/terminal';
import type { Hop, IpInterface, Route } from '../lab/ip-node';
import type { NodePlan } from '../lab/lab-plan';
import type { Ipv4 } from '../lab/ipv4';
import { applyConfiguration } from './configuration';
import { isLoopback } from './interface-names';
import { IosShell } from './ios-shell';
import { blankState, type IosInterface, type IosState } from './ios-state';
import type { OspfDomain } from './ospf-domain';
import type { IosWorld, LineStatus, RouterView } from './router-view';
import { resolve, routingTable } from './routing-table';
import { configurationLines } from './running-config';

/** A router with a Cisco IOS-like command line: its configuration, its routes, its power. */
export class IosRouter implements RouterView {
  readonly forwards = true;
  readonly arpCache = new Set<Ipv4>();
  bootedAt = new Date();
  state: IosState;
  startup: readonly string[];
  private readonly power: DevicePower;
  private shell: IosShell | undefined;
  private table: { readonly of: OspfDomain; readonly routes: Route[] } | undefined;

  constructor(
    readonly plan: NodePlan,
    readonly world: IosWorld,
    private readonly macBase: number,
    write: (text: string) => void,
  ) {
    this.state = this.bootState(plan.startup);
    this.startup = configurationLines(this.state);
    const program = async (terminal: Terminal): Promise<never> => {
      this.shell = new IosShell(this, terminal);
      return this.shell.run();
    };
    this.power = new DevicePower(write, program, (error) => world.fault(plan.name, error));
  }

  get name(): string {
    return this.plan.name;
  }

  get isRunning(): boolean {
    return this.power.isOn;
  }

  powerOn(): void {
    if (this.isRunning) return;
    this.load();
    this.power.on();
    this.world.changed();
  }

  powerOff(): void {
    this.power.off();
    this.shell = undefined;
    this.world.changed();
  }

  load(): void {
    this.arpCache.clear();
    this.bootedAt = new Date();
    this.state = this.bootState(this.startup);
    this.world.changed();
  }

  save(): void {
    this.startup = configurationLines(this.state);
  }

  eraseStartup(): void {
    this.startup = [];
  }

  type(text: string): void {
    this.power.terminal?.type(text);
  }

  greeting(): string {
    return this.shell?.isAsleep === false ? '' : '\r\n\r\n\r\nPress RETURN to get started.\r\n\r\n\r\n';
  }

  log(message: string): void {
    this.power.terminal?.announce(`*${logTime(new Date())}: ${message}`);
  }

  lineStatus(each: IosInterface): LineStatus {
    if (each.shutdown) return { status: 'administratively down', protocol: 'down' };
    const isUp =
      isLoopback(each.name) || this.world.network.cabling.peer({ node: this.name, port: each.name });
    return isUp ? { status: 'up', protocol: 'up' } : { status: 'down', protocol: 'down' };
  }

  ipInterfaces(): IpInterface[] {
    if (!this.isRunning) return [];
    return [...this.state.interfaces.values()].flatMap((each) => {
      if (each.address === undefined || this.lineStatus(each).protocol === 'down') return [];
      const { name, mac, address, prefixLength } = each;
      return [{ node: this.name, port: name, mac, address, prefixLength }];
    });
  }

  /** Kept until something in the lab changes: the domain is a new one then. */
  routes(): readonly Route[] {
    const domain = this.world.ospf();
    if (this.table?.of !== domain) {
      const routes = routingTable(this.ipInterfaces(), this.state.routes, domain.routes(this.name));
      this.table = { of: domain, routes };
    }
    return this.table.routes;
  }

  nextHop(destination: Ipv4): Hop | undefined {
    return resolve(this.routes(), destination);
  }

  private bootState(saved: readonly string[]): IosState {
    const state = blankState(this.plan.ports, this.macBase);
    applyConfiguration(state, saved);
    for (const each of state.interfaces.values()) each.method = 'NVRAM';
    return state;
  }
}

/** `Nov 30 12:05:01.123`, in UTC. */
function logTime(now: Date): string {
  const [, day = '', month = '', time = ''] = /^\w+, (\d+) (\w+) \d+ ([\d:]+)/.exec(now.toUTCString()) ?? [];
  return `${month} ${day.replace(/^0/, ' ')} ${time}.${String(now.getUTCMilliseconds()).padStart(3, '0')}`;
}
