import type { Device, World } from '../lab/world';
import type { VpcsAddress } from './vpcs-state';

/** A virtual PC as its own commands see it. */
export interface VpcsView extends Device {
  readonly world: World;
  readonly mac: string;
  readonly index: number;
  readonly current: VpcsAddress | undefined;
  setAddress(address: VpcsAddress | undefined): void;
  save(): void;
}
