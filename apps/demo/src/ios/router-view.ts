import type { Route } from '../lab/ip-node';
import type { NodePlan } from '../lab/lab-plan';
import type { Ipv4 } from '../lab/ipv4';
import type { Device, World } from '../lab/world';
import type { IosInterface, IosState } from './ios-state';
import type { OspfDomain } from './ospf-domain';

/** What routers see beyond their wires: the OSPF of the whole lab, and who sits at the end of a cable. */
export interface IosWorld extends World {
  ospf(): OspfDomain;
  router(name: string): RouterView | undefined;
}

export interface LineStatus {
  readonly status: 'up' | 'down' | 'administratively down';
  readonly protocol: 'up' | 'down';
}

/** A router as its own commands see it. */
export interface RouterView extends Device {
  readonly plan: NodePlan;
  readonly world: IosWorld;
  readonly state: IosState;
  readonly startup: readonly string[];
  readonly bootedAt: Date;
  /** Next hops that have answered ARP; the first packet to a new one is lost, as on the device. */
  readonly arpCache: Set<Ipv4>;
  /** Puts the saved configuration in place of the running one. */
  load(): void;
  save(): void;
  eraseStartup(): void;
  /** Logs to the console, as `%LINK-3-UPDOWN: ...`. */
  log(message: string): void;
  lineStatus(each: IosInterface): LineStatus;
  routes(): readonly Route[];
}
