import type { Intent } from '../intent';
import { compareDevices } from './compare-devices';
import { configureAddress } from './configure-address';
import { configureOspf } from './configure-ospf';
import { configurePc } from './configure-pc';
import { explainError } from './explain-error';
import { anythingElse, help } from './help';
import { injectFault } from './inject-fault';
import { interfaceStatus } from './interface-status';
import { pingTest } from './ping-test';
import { runShow } from './run-show';
import { saveConfiguration } from './save-configuration';
import { setInterfaceState } from './set-interface-state';
import { showFacts } from './show-facts';
import { showTopology } from './show-topology';
import { staticRoute } from './static-route';

/** The first that recognises a question takes it; the last takes every question. */
export const INTENTS: readonly Intent[] = [
  injectFault,
  explainError,
  compareDevices,
  configureOspf,
  staticRoute,
  configurePc,
  configureAddress,
  setInterfaceState,
  saveConfiguration,
  pingTest,
  ...showFacts,
  interfaceStatus,
  showTopology,
  runShow,
  help,
  anythingElse,
];
