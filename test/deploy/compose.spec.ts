import { describe, expect, it } from '@jest/globals';
import { parseEnv } from '@copilot/config';
import { settingsSchema as agentWorker } from '../../apps/agent-worker/src/settings';
import { settingsSchema as gateway } from '../../apps/gateway/src/settings';
import { settingsSchema as toolWorker } from '../../apps/tool-worker/src/settings';
import { readEnvFile } from './checkout';
import { composeServices, composeVariables, REQUIRED, type Service } from './compose-file';
import { dockerfileStages } from './dockerfile';

const SCHEMAS = [
  ['gateway', gateway],
  ['agent-worker', agentWorker],
  ['tool-worker', toolWorker],
] as const;
const WORKERS = ['agent-worker', 'tool-worker'];

const services = composeServices(REQUIRED);
const ours = Object.entries(services).filter(([, { build }]) => build !== undefined);

function service(name: string): Service {
  const found = services[name];
  if (!found) throw new Error(`docker-compose.yml has no service ${name}`);
  return found;
}

const variable = (name: string, key: string) => service(name).environment[key] ?? '';

/** Options of a command line, `--name value` each. */
const option = ({ command }: Service, name: string) => command[command.indexOf(`--${name}`) + 1];

const seconds = (duration = '') => Number(/^(\d+)s$/.exec(duration)?.[1]);

describe('docker-compose.yml', () => {
  it('refuses to start without what nobody can guess, and without that only', () => {
    expect([...composeVariables().required].sort()).toEqual(Object.keys(REQUIRED).sort());
    for (const name of Object.keys(REQUIRED)) {
      expect(() => composeServices({ ...REQUIRED, [name]: '' })).toThrow(`${name} is missing`);
    }
  });

  it('takes the variables that deploy/example.env explains, and no others', () => {
    expect(Object.keys(readEnvFile('deploy/example.env')).sort()).toEqual([...composeVariables().all].sort());
  });

  it('has no secret of its own: example.env leaves them empty, and none is in a command or variable', () => {
    const example = readEnvFile('deploy/example.env');
    expect(Object.entries(example).filter(([, value]) => value !== '')).toEqual([]);
    const secrets = Object.values(services).flatMap(({ environment }) =>
      Object.entries(environment).filter(([name]) => /KEY|SECRET|PASSWORD|TOKEN|AUTH$/.test(name)),
    );
    expect(secrets.length).toBeGreaterThan(0);
    for (const [, value] of secrets) expect(value).toMatch(/^(marker-of-[A-Z_]+)?$/);
    expect(option(service('redis'), 'requirepass')).toBe(REQUIRED.REDIS_PASSWORD);
  });

  it('names the release of every image', () => {
    for (const { image } of Object.values(services))
      expect(image).toMatch(/^[a-z0-9./-]+:(?!latest$)[\w.-]+$/);
  });

  it.each(ours)(
    '%s is the image of that name, built from a stage of the Dockerfile',
    (name, { build, image }) => {
      expect(build).toEqual({ context: '.', args: { APP: name } });
      expect(image).toMatch(new RegExp(`^gns3-copilot-${name}:`));
      expect(dockerfileStages().map((stage) => stage.name)).toContain(`app-${name}`);
    },
  );

  it.each(SCHEMAS)('gives %s settings that it has, and all that it needs', (name, schema) => {
    const { environment } = service(name);
    expect(Object.keys(schema.shape)).toEqual(expect.arrayContaining(Object.keys(environment)));
    expect(() => parseEnv(schema, environment)).not.toThrow();
  });

  it.each(SCHEMAS)('leaves the defaults of %s to its schema', (name, schema) => {
    const decided = {
      REDIS_URL: variable(name, 'REDIS_URL'),
      DATABASE_URL: variable(name, 'DATABASE_URL'),
      DRAIN_SECONDS: variable(name, 'DRAIN_SECONDS'),
    };
    const { environment } = service(name);
    expect(parseEnv(schema, environment)).toEqual(parseEnv(schema, { ...REQUIRED, ...decided }));
  });

  it('gives migrate a database and nothing else', () => {
    expect(service('migrate').environment).toEqual({ DATABASE_URL: variable('tool-worker', 'DATABASE_URL') });
    expect(service('migrate').restart).toBe('no');
  });

  it.each(WORKERS)('leads %s to the stores by their service names', (name) => {
    expect(storesOf(name)).toEqual({ redis: 'redis:6379', postgres: 'postgres:5432' });
  });

  it('leads the gateway to the stores by the ports that they publish on this machine', () => {
    expect(storesOf('gateway')).toEqual({ redis: '127.0.0.1:6379', postgres: '127.0.0.1:5432' });
    const moved = composeServices({ ...REQUIRED, REDIS_PORT: '16379', POSTGRES_PORT: '15432' });
    expect(moved.redis?.ports).toEqual(['127.0.0.1:16379:6379']);
    expect(moved.postgres?.ports).toEqual(['127.0.0.1:15432:5432']);
    expect(moved.gateway?.environment).toMatchObject({
      REDIS_URL: expect.stringContaining('@127.0.0.1:16379'),
      DATABASE_URL: expect.stringContaining('@127.0.0.1:15432/'),
    });
  });

  it('lets Postgres create what the others connect to', () => {
    const { username, password, pathname } = new URL(variable('gateway', 'DATABASE_URL'));
    expect(service('postgres').environment).toEqual({
      POSTGRES_USER: username,
      POSTGRES_PASSWORD: password,
      POSTGRES_DB: pathname.slice(1),
    });
  });

  it('has a Redis that keeps its data and evicts nothing', () => {
    expect(service('redis').command[0]).toBe('redis-server');
    expect(option(service('redis'), 'appendonly')).toBe('yes');
    expect(option(service('redis'), 'maxmemory-policy')).toBe('noeviction');
    expect(service('redis').volumes).toEqual(['redis-data:/data']);
  });

  it('publishes ports on loopback only', () => {
    const ports = Object.values(services).flatMap((each) => each.ports);
    expect(ports.length).toBeGreaterThan(0);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
  });

  it('serves on the loopback address of this machine, the only one that AUTH_MODE=none allows', () => {
    expect(service('gateway')).toMatchObject({ network_mode: 'host', ports: [] });
    expect(parseEnv(gateway, service('gateway').environment)).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 3090,
    });
  });

  it.each(WORKERS)('lets %s be scaled: no name, port or volume that two could not share', (name) => {
    expect(service(name)).not.toHaveProperty('container_name');
    expect(service(name)).not.toHaveProperty('hostname');
    expect(service(name)).toMatchObject({ ports: [], volumes: [] });
    expect(service(name).network_mode).toBeUndefined();
  });

  it.each(WORKERS)('leaves %s the time to drain, and 5 s for a tool that does not stop at once', (name) => {
    const drain = Number(variable(name, 'DRAIN_SECONDS'));
    expect(seconds(service(name).stop_grace_period)).toBeGreaterThan(drain + 5);
  });

  it('starts nothing before what it needs is usable', () => {
    for (const name of ['gateway', ...WORKERS]) {
      expect(service(name).depends_on).toEqual({
        redis: { condition: 'service_healthy' },
        postgres: { condition: 'service_healthy' },
        migrate: { condition: 'service_completed_successfully' },
      });
    }
    expect(service('migrate').depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    for (const store of ['redis', 'postgres']) expect(service(store).healthcheck).toBeDefined();
  });
});

/** Host and port of both stores; that the passwords are the stores' own is part of the answer's worth. */
function storesOf(name: string): { redis: string; postgres: string } {
  const redis = new URL(variable(name, 'REDIS_URL'));
  const postgres = new URL(variable(name, 'DATABASE_URL'));
  expect([redis.password, postgres.password]).toEqual([REQUIRED.REDIS_PASSWORD, REQUIRED.POSTGRES_PASSWORD]);
  return { redis: redis.host, postgres: postgres.host };
}
