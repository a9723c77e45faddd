import { ipArg, numberArg, textArg } from '../args';
import type { Args } from '../command-tree';
import type { ConfigAction } from './config-context';
import type { OspfNetwork, OspfProcess } from '../ios-state';
import { configMode } from './shell-words';

const NETWORK = 'network <base:address> <wildcard:address> area';

export const routerCommands = configMode()
  .add(
    `${NETWORK} <area:number>`,
    onProcess((process, args) => addNetwork(process, networkArg(args))),
  )
  .add(
    `${NETWORK} <area-address:address>`,
    onProcess((process, args) => addNetwork(process, networkArg(args))),
  )
  .add(
    `no ${NETWORK} <area:number>`,
    onProcess((process, args) => removeNetwork(process, networkArg(args))),
  )
  .add(
    'router-id <id:address>',
    onProcess((process, args) => void (process.routerId = ipArg(args, 'id'))),
  )
  .add(
    'no router-id',
    onProcess((process) => void delete process.routerId),
  )
  .add(
    'passive-interface <name:interface>',
    onProcess((process, args) => void process.passive.add(textArg(args, 'name'))),
  )
  .add(
    'no passive-interface <name:interface>',
    onProcess((process, args) => void process.passive.delete(textArg(args, 'name'))),
  );

function onProcess(action: (process: OspfProcess, args: Args) => void): ConfigAction {
  return ({ state }, args) => {
    if (state.ospf) action(state.ospf, args);
    return undefined;
  };
}

function networkArg(args: Args): OspfNetwork {
  const area = args.has('area') ? numberArg(args, 'area') : ipArg(args, 'area-address');
  const wildcard = ipArg(args, 'wildcard');
  return { base: (ipArg(args, 'base') & ~wildcard) >>> 0, wildcard, area };
}

function addNetwork(process: OspfProcess, network: OspfNetwork): void {
  removeNetwork(process, network);
  process.networks.push(network);
}

function removeNetwork(process: OspfProcess, network: OspfNetwork): void {
  process.networks = process.networks.filter(
    (each) => each.base !== network.base || each.wildcard !== network.wildcard,
  );
}
