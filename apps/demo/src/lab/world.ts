import type { IpNetwork } from './ip-network';
import type { IpNode } from './ip-node';

/** A command line that a device's console received whole. */
export interface ReceivedCommand {
  readonly at: string;
  readonly node: string;
  readonly line: string;
  readonly mode: string;
}

export interface Pace {
  /** Silence before a device answers a command. */
  readonly latencyMs: number;
  /** Time between two echo replies; a lost one takes twice as long. */
  readonly pingIntervalMs: number;
}

/** What devices share: the wires, the pace of the lab, and the record of what they were told. */
export interface World {
  readonly network: IpNetwork;
  readonly pace: Pace;
  record(node: string, line: string, mode: string): void;
  /** Told when a device's program failed by a mistake of ours. */
  fault(node: string, error: unknown): void;
  /** Told after each change that routing or neighbours may depend on. */
  changed(): void;
}

/** A node with a console that can be switched on and off. */
export interface Device extends IpNode {
  readonly isRunning: boolean;
  powerOn(): void;
  powerOff(): void;
  type(text: string): void;
  /** What a client sees when it connects. */
  greeting(): string;
}
