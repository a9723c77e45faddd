import { randomBytes } from 'node:crypto';
import { LOCAL_USER_ID } from '@copilot/contracts';
import { migrate } from '@copilot/persistence';
import type { Child } from '../../e2e/support/child';
import { startDemo, type DemoReady } from '../../e2e/support/demo-lab';
import { post } from '../../e2e/support/stack';
import { ScriptedModel } from '../../fakes/scripted-model';
import { createDatabase } from '../../support/database';
import { FaultyLink } from '../../support/faulty-link';
import { freePort } from '../../support/free-port';
import { PrivatePostgres } from '../../support/private-postgres';
import { PrivateRedis } from '../../support/private-redis';
import type { Store } from '../plan/disturbance-plan';
import { Supervised } from './supervised';

export const GATEWAYS = 2;
const AGENTS = 3;
const TOOLS = 3;
export const PROCESSES = GATEWAYS + AGENTS + TOOLS;

export const ROUTERS = 8;
/** Of a console's answer, so that a call lasts long enough for its worker to die in it. */
const CONSOLE_LATENCY_MS = 120;

/** A process of the service, and its own ways to the stores. */
export interface Part {
  readonly process: Supervised;
  readonly links: Readonly<Record<Store, FaultyLink>>;
}

/** The whole service as processes, with stores, a lab and a model server that the runner holds in its hand. */
export class World {
  private constructor(
    readonly redis: PrivateRedis,
    readonly postgres: PrivatePostgres,
    readonly databaseUrl: string,
    private readonly demo: Child,
    readonly lab: DemoReady,
    readonly model: ScriptedModel,
    readonly parts: readonly Part[],
    private readonly ports: readonly number[],
  ) {}

  /** Resolves when every process is ready. */
  static async start(): Promise<World> {
    // Nothing that Redis has acknowledged is lost when it is killed: what a Redis without its data costs has tests
    // of its own (reaper.e2e-spec.ts).
    const [redis, postgres, demo, model] = await Promise.all([
      PrivateRedis.start('--appendfsync', 'always'),
      PrivatePostgres.start(),
      startDemo({ DEMO_NODES: String(ROUTERS), DEMO_LATENCY_MS: String(CONSOLE_LATENCY_MS) }),
      ScriptedModel.start(),
    ]);
    const databaseUrl = await createDatabase(postgres.url);
    await migrate(databaseUrl);
    const ports = await Promise.all(Array.from({ length: GATEWAYS }, freePort));
    const env = {
      GNS3_URL: demo.ready.gns3Url,
      GNS3_USERNAME: 'admin',
      GNS3_PASSWORD: 'admin',
      MODEL_ALLOWED_HOSTS: '127.0.0.1',
      SECRET_KEY: randomBytes(24).toString('hex'),
      DRAIN_SECONDS: '4',
    };
    const parts = await Promise.all(
      settingsOf(ports).map(async ({ env: own, ...settings }) => {
        const links = { redis: await FaultyLink.to(redis.url), postgres: await FaultyLink.to(databaseUrl) };
        const stores = { REDIS_URL: links.redis.url, DATABASE_URL: links.postgres.url };
        return { links, process: new Supervised({ ...settings, env: { ...env, ...stores, ...own } }) };
      }),
    );
    const world = new World(redis, postgres, databaseUrl, demo.child, demo.ready, model, parts, ports);
    try {
      await world.ready();
      await world.createModelConfig();
    } catch (error) {
      await world.stop();
      throw error;
    }
    return world;
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
    await this.demo.stop();
    await this.model.stop();
    await Promise.all([this.redis.remove(), this.postgres.remove()]);
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
