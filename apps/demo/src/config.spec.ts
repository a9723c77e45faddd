import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config';

describe('readConfig', () => {
  it('starts the five-node lab on loopback when nothing is set', () => {
    expect(readConfig({}, [])).toEqual({
      gns3Port: 3080,
      modelPort: 3081,
      host: '127.0.0.1',
      latencyMs: 0,
      pingIntervalMs: 200,
      tokenMs: 15,
      failures: [],
      logLevel: 'info',
    });
  });

  it('takes the number of routers from the command line before the environment', () => {
    expect(readConfig({ DEMO_NODES: '3' }, ['--nodes', '7']).nodes).toBe(7);
    expect(readConfig({ DEMO_NODES: '3' }, []).nodes).toBe(3);
  });

  it('reads a list of failure switches', () => {
    expect(readConfig({ DEMO_FAIL: 'gns3-500, console-silent=R1' }, []).failures).toEqual([
      'gns3-500',
      'console-silent=R1',
    ]);
  });

  it.each([
    [{ DEMO_GNS3_PORT: 'x' }, /DEMO_GNS3_PORT/],
    [{ DEMO_NODES: '0' }, /DEMO_NODES/],
    [{ DEMO_FAIL: 'gns3-nope' }, /unknown failure switch: gns3-nope/],
  ])('names the setting that is wrong in %j', (env, message) => {
    expect(() => readConfig(env, [])).toThrow(message);
  });
});
