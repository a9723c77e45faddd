import type { DemoConfig } from '../config';

/** Free ports, and no waiting anywhere. */
export const QUICK: DemoConfig = {
  gns3Port: 0,
  modelPort: 0,
  host: '127.0.0.1',
  latencyMs: 0,
  pingIntervalMs: 1,
  tokenMs: 0,
  failures: [],
  logLevel: 'silent',
};
