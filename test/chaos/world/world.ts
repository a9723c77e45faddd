import { randomBytes } from 'node:crypto';
import { LOCAL_USER_ID } from '@copilot/contracts';
import { post } from '../../e2e/support/stack';
import { FaultyLink } from '../../support/faulty-link';
import { freePort } from '../../support/free-port';
import type { Store } from '../plan/disturbance-plan';
import { Supervised } from './supervised';
import { Surroundings } from './surroundings';

const GATEWAYS = 2;
const AGENTS = 3;
const TOOLS = 3;
export const PROCESSES = GATEWAYS + AGENTS + TOOLS;

/** A process of the service, and its own ways to the stores. */
export interface Part {
  readonly process: Supervised;
  readonly links: Readonly<Record<Store, FaultyLink>>;
}

/** The whole service as processes, with stores, a lab and a model server that the runner holds in its hand. */
export class World {
  private constructor(
    private readonly surroundings: Surroundings,
    readonly parts: readonly Part[],
    private readonly ports: readonly number[],
  ) {}

  /** Resolves when every process is ready. */
  static async start(): Promise<World> {
    const surroundings = await Surroundings.start();
    const ports = await Promise.all(Array.from({ length: GATEWAYS }, freePort));
    const world = new World(surroundings, await partsOn(surroundings, ports), ports);
    try {
      await world.ready();
      await world.createModelConfig();
    } catch (error) {
      await world.stop();
      throw error;
    }
    return world;
  }

  get redis() {
    return this.surroundings.redis;
  }

  get postgres() {
    return this.surroundings.postgres;
  }

  get lab() {
    return this.surroundings.lab;
  }

  get model() {
    return this.surroundings.model;
  }

  get databaseUrl() {
    return this.surroundings.databaseUrl;
  }

  async ready(): Promise<void> {
    await Promise.all(this.parts.map(({ process }) => process.ready()));
  }

  /** A path below the project's chat, at one of the gateways. */
  chatUrl(gateway: number, path: string): string {
    const port = this.ports[gateway % this.ports.length];
    return `http://127.0.0.1:${port}/v3/projects/${this.lab.projectId}/chat${path}`;
  }

  async stop(): Promise<void> {
    const stopped = await Promise.allSettled(this.parts.map(({ process }) => process.stop()));
    await Promise.all(this.parts.flatMap(({ links }) => [links.redis.close(), links.postgres.close()]));
    await this.surroundings.stop();
    const failed = stopped.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private async createModelConfig(): Promise<void> {
    const url = `http://127.0.0.1:${this.ports[0]}/v3/users/${LOCAL_USER_ID}/llm-model-configs`;
    const config = {
      name: 'chaos',
      model_type: 'text',
      is_default: true,
      provider: 'openai',
      api_key: 'sk-chaos-0123456789',
      base_url: this.model.baseUrl,
      model: 'scripted',
      context_limit: 128,
      copilot_mode: 'lab_automation_assistant',
    };
    const response = await fetch(url, post(config));
    if (response.status !== 201) throw new Error(`model config: ${response.status} ${await response.text()}`);
  }
}

/** Each process with links of its own, which may be cut without the others noticing. */
async function partsOn({ redis, databaseUrl, lab }: Surroundings, ports: readonly number[]): Promise<Part[]> {
  const env = {
    GNS3_URL: lab.gns3Url,
    GNS3_USERNAME: 'admin',
    GNS3_PASSWORD: 'admin',
    MODEL_ALLOWED_HOSTS: '127.0.0.1',
    SECRET_KEY: randomBytes(24).toString('hex'),
    DRAIN_SECONDS: '4',
  };
  return Promise.all(
    settingsOf(ports).map(async ({ env: own, ...settings }) => {
      const links = { redis: await FaultyLink.to(redis.url), postgres: await FaultyLink.to(databaseUrl) };
      const stores = { REDIS_URL: links.redis.url, DATABASE_URL: links.postgres.url };
      return { links, process: new Supervised({ ...settings, env: { ...env, ...stores, ...own } }) };
    }),
  );
}

/** Gateways first, so that a process's place in the list never depends on anything else. */
function settingsOf(ports: readonly number[]) {
  const gateways = ports.map((port, n) => ({
    name: `gateway-${n + 1}`,
    script: 'dist/apps/gateway/main.js',
    readyLine: 'gateway ready',
    env: { AUTH_MODE: 'none', PORT: String(port), HOST: '127.0.0.1' },
  }));
  return [
    ...gateways,
    ...workers('agent-worker', 'agent worker ready', AGENTS),
    ...workers('tool-worker', 'tool worker ready', TOOLS),
  ];
}

function workers(app: string, readyLine: string, count: number) {
  return Array.from({ length: count }, (_, n) => ({
    name: `${app}-${n + 1}`,
    script: `dist/apps/${app}/main.js`,
    readyLine,
    env: {},
  }));
}
