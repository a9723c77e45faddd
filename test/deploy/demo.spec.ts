import { describe, expect, it } from '@jest/globals';
import { parseEnv } from '@copilot/config';
import { settingsSchema as agentWorker } from '../../apps/agent-worker/src/settings';
import { readConfig } from '../../apps/demo/src/config';
import { settingsSchema as gateway } from '../../apps/gateway/src/settings';
import { readEnvFile } from './checkout';
import { composeServices, REQUIRED } from './compose-file';

describe('the demo of docker-compose.yml', () => {
  const demoEnv = readEnvFile('deploy/demo.env');
  const services = composeServices({ ...REQUIRED, ...demoEnv });
  const { demo } = services;
  const environment = demo?.environment ?? {};

  it('starts only when it is asked for', () => {
    expect(demo).toMatchObject({ profiles: ['demo'] });
    expect(Object.entries(services).filter(([, { profiles }]) => profiles !== undefined)).toHaveLength(1);
  });

  it.each(Object.keys(environment))('is given no variable that it does not read: %s', (name) => {
    const other = { HOST: 'elsewhere', LOG_LEVEL: 'warn' }[name] ?? '7';
    expect(readConfig({ [name]: other }, [])).not.toEqual(readConfig({}, []));
  });

  it('is where demo.env says, for the gateway on this machine too', () => {
    const { gns3Port } = readConfig(environment, []);
    expect(demoEnv.GNS3_URL).toBe(`http://demo:${gns3Port}`);
    expect(demo?.ports).toEqual([`127.0.0.1:${gns3Port}:${gns3Port}`]);
    expect(services.gateway?.extra_hosts).toContain('demo:127.0.0.1');
  });

  it('has a model that both the gateway and the agents may use', () => {
    for (const [name, schema] of [['gateway', gateway] as const, ['agent-worker', agentWorker] as const]) {
      const settings = parseEnv(schema, services[name]?.environment ?? {});
      expect(settings.MODEL_ALLOWED_HOSTS).toEqual(['demo']);
    }
  });
});
