import type { ScriptedCall } from '../../fakes/scripted-model';
import type { Seeded } from '../../support/seeded';

const SHOW = 'execute_multiple_device_commands';
export const CONFIG = 'execute_multiple_device_config_commands';

export interface PlannedCall extends ScriptedCall {
  readonly id: string;
  /** The lines that would change a device, each of which no other call of all chats sends. */
  readonly markers: readonly Marker[];
}

export interface Marker {
  readonly device: string;
  readonly line: string;
}

/** What the model says in one iteration. */
export interface PlannedIteration {
  readonly pieces: readonly string[];
  readonly pieceDelayMs: number;
  readonly calls: readonly PlannedCall[];
}

/** One to three iterations with calls, then one without. */
export function plannedIterations(random: Seeded, chat: number, routers: number): PlannedIteration[] {
  const withCalls = random.below(4);
  return Array.from({ length: withCalls + 1 }, (_, index) => ({
    pieces: piecesOf(chat, index + 1, random.between(1, 8)),
    pieceDelayMs: random.oneOf([0, 10, 40, 120]),
    calls: index < withCalls ? callsOf(random, `c${chat}i${index + 1}`, routers) : [],
  }));
}

/** The text of an iteration says whose it is, and shows whether it is whole. */
export function piecesOf(chat: number, iteration: number, words: number): string[] {
  return [`[${chat}.${iteration}: `, ...Array.from({ length: words }, (_, n) => `w${n} `), 'end] '];
}

function callsOf(random: Seeded, prefix: string, routers: number): PlannedCall[] {
  const router = () => `R${random.between(1, routers)}`;
  return Array.from({ length: random.between(1, 3) }, (_, index) => {
    const id = `${prefix}n${index}`;
    switch (random.below(5)) {
      case 0:
      case 1:
        return show(id, router());
      case 2:
        return { id, name: 'gns3_topology_reader', args: {}, markers: [] };
      default:
        return config(id, random.below(3) === 0 ? twoRouters(random, routers) : [router()]);
    }
  });
}

function twoRouters(random: Seeded, routers: number): string[] {
  const first = random.below(routers);
  const second = (first + 1 + random.below(Math.max(1, routers - 1))) % routers;
  return first === second ? [`R${first + 1}`] : [`R${first + 1}`, `R${second + 1}`];
}

function show(id: string, device_name: string): PlannedCall {
  return {
    id,
    name: SHOW,
    args: { device_configs: [{ device_name, commands: ['show clock'] }] },
    markers: [],
  };
}

function config(id: string, devices: readonly string[]): PlannedCall {
  const markers = devices.map((device, index) => ({ device, line: `ip host ${id}d${index} 192.0.2.1` }));
  return {
    id,
    name: CONFIG,
    args: {
      device_configs: markers.map(({ device, line }) => ({ device_name: device, config_commands: [line] })),
    },
    markers,
  };
}
