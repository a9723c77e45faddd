import { randomBytes } from 'node:crypto';
import { LOCAL_USER_ID } from '@copilot/contracts';
import { migrate } from '@copilot/persistence';
import { connectPatient, type RedisClient } from '@copilot/redis';
import { ScriptedModel } from '../../fakes/scripted-model';
import { Child } from './child';
import { labCommands, startDemo, type DemoReady, type LabCommand } from './demo-lab';
import { createDatabase, dropDatabase } from '../../support/database';
import { freePort } from '../../support/free-port';
import { collect, openStream, type Frame, type OpenStream } from './sse-client';

export interface StackOptions {
  readonly gateways?: number;
  readonly agents?: number;
  readonly tools?: number;
  /** `demo`: the rule-driven model of apps/demo; else the scripted one. */
  readonly model?: 'demo' | 'scripted';
  /** Arguments of the demo lab. */
  readonly demoEnv?: Record<string, string>;
  readonly env?: Record<string, string>;
  /** A Redis of the test's own instead of a database of the shared one. */
  readonly redisUrl?: string;
  /** A Postgres of the test's own instead of the shared one. */
  readonly postgresUrl?: string;
  /** How the processes reach the database, where a test comes between. */
  readonly databaseVia?: (url: string) => Promise<string>;
  /** Without a model config, for the answer to a caller who has none. */
  readonly withoutModelConfig?: boolean;
}

const API_KEY = 'sk-e2e-secret-key-0123456789';

/** The whole service as processes of its own, on a database and a Redis database of its own. */
export class Stack {
  readonly gateways: Child[] = [];
  readonly agents: Child[] = [];
  readonly tools: Child[] = [];
  readonly apiKey = API_KEY;

  private constructor(
    readonly demo: Child,
    readonly lab: DemoReady,
    readonly model: ScriptedModel,
    readonly databaseUrl: string,
    readonly redisUrl: string,
    readonly redis: RedisClient,
    private readonly ports: readonly number[],
    private readonly env: Record<string, string>,
    private readonly postgresUrl: string,
  ) {}

  static async start(options: StackOptions = {}): Promise<Stack> {
    const postgresUrl = options.postgresUrl ?? required('DATABASE_URL');
    const databaseUrl = await createDatabase(postgresUrl);
    const redisUrl = options.redisUrl ?? required('REDIS_URL');
    const redis = connectPatient(redisUrl, () => undefined);
    await redis.flushdb();
    const [demo, model] = await Promise.all([
      startDemo(options.demoEnv ?? {}),
      ScriptedModel.start(),
      migrate(databaseUrl),
    ]);
    const ports = await Promise.all(Array.from({ length: options.gateways ?? 1 }, freePort));
    const stack = new Stack(
      demo.child,
      demo.ready,
      model,
      databaseUrl,
      redisUrl,
      redis,
      ports,
      {
        REDIS_URL: redisUrl,
        DATABASE_URL: (await options.databaseVia?.(databaseUrl)) ?? databaseUrl,
        GNS3_URL: demo.ready.gns3Url,
        GNS3_USERNAME: 'admin',
        GNS3_PASSWORD: 'admin',
        MODEL_ALLOWED_HOSTS: '127.0.0.1',
        SECRET_KEY: randomBytes(24).toString('hex'),
        ...options.env,
      },
      postgresUrl,
    );
    try {
      await stack.begin(options);
    } catch (error) {
      await stack.stop();
      throw error;
    }
    return stack;
  }

  private async begin(options: StackOptions): Promise<void> {
    for (let n = 0; n < (options.gateways ?? 1); n += 1) this.startGateway(n);
    for (let n = 0; n < (options.agents ?? 1); n += 1) this.startAgent();
    for (let n = 0; n < (options.tools ?? 1); n += 1) this.startTool();
    await this.ready();
    if (!options.withoutModelConfig) {
      await this.createModelConfig(
        options.model === 'demo'
          ? { base_url: this.lab.modelUrl, model: 'demo-netops' }
          : { base_url: this.model.baseUrl, model: 'scripted' },
      );
    }
  }

  async ready(): Promise<void> {
    await Promise.all([
      ...this.gateways.map((child) => child.line('gateway ready')),
      ...this.agents.map((child) => child.line('agent worker ready')),
      ...this.tools.map((child) => child.line('tool worker ready')),
    ]);
  }

  startGateway(n: number): Child {
    const child = new Child(`gateway-${n}`, 'dist/apps/gateway/main.js', {
      AUTH_MODE: 'none',
      ...this.env,
      PORT: String(this.ports[n]),
      HOST: '127.0.0.1',
    });
    this.gateways[n] = child;
    return child;
  }

  startAgent(env: Record<string, string> = {}): Child {
    const child = new Child('agent', 'dist/apps/agent-worker/main.js', { ...this.env, ...env });
    this.agents.push(child);
    return child;
  }

  startTool(env: Record<string, string> = {}): Child {
    const child = new Child('tool', 'dist/apps/tool-worker/main.js', { ...this.env, ...env });
    this.tools.push(child);
    return child;
  }

  url(path: string, gateway = 0): string {
    return `http://127.0.0.1:${this.ports[gateway]}${path}`;
  }

  chatUrl(path = '', { gateway = 0, projectId = this.lab.projectId } = {}): string {
    return this.url(`/v3/projects/${projectId}/chat${path}`, gateway);
  }

  /** Sends a message and opens its stream. */
  async chat(message: string, body: Record<string, unknown> = {}, gateway = 0): Promise<OpenStream> {
    return openStream(this.chatUrl('/stream', { gateway }), post({ message, ...body }));
  }

  /** The rest of a run's events after a cursor, to the end of the stream. */
  async resume(runId: string, lastEventId: string | undefined, gateway = 0): Promise<Frame[]> {
    const headers: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    const url = this.chatUrl(`/runs/${runId}/events`, { gateway });
    return collect((await openStream(url, { headers })).frames);
  }

  async createModelConfig(settings: Record<string, unknown>): Promise<string> {
    const response = await fetch(
      this.url(`/v3/users/${LOCAL_USER_ID}/llm-model-configs`),
      post({
        name: 'e2e',
        model_type: 'text',
        is_default: true,
        provider: 'openai',
        api_key: API_KEY,
        context_limit: 128,
        copilot_mode: 'lab_automation_assistant',
        ...settings,
      }),
    );
    const body = (await response.json()) as { config_id: string };
    if (response.status !== 201) throw new Error(`model config: ${response.status} ${JSON.stringify(body)}`);
    return body.config_id;
  }

  /** Commands that the lab's devices have received. */
  async labCommands(): Promise<LabCommand[]> {
    return labCommands(this.lab);
  }

  async clearLabCommands(): Promise<void> {
    await fetch(`${this.lab.gns3Url}/demo/commands`, { method: 'DELETE' });
  }

  async failLab(...switches: string[]): Promise<void> {
    await fetch(`${this.lab.gns3Url}/demo/failures`, post({ set: switches }));
  }

  /** Everything that all processes have printed. */
  logs(): string {
    return this.children()
      .flatMap((child) => child.lines)
      .join('\n');
  }

  /** Of the processes that are running. */
  pids(): number[] {
    return this.children()
      .filter(({ running }) => running)
      .map(({ pid }) => pid);
  }

  async stop(): Promise<void> {
    const results = await Promise.allSettled(this.children().map((child) => child.stop()));
    await this.demo.stop();
    await this.model.stop();
    this.redis.disconnect();
    await dropDatabase(this.postgresUrl, this.databaseUrl);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private children(): Child[] {
    return [...this.gateways, ...this.agents, ...this.tools];
  }
}

export function post(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

function required(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(`${name} is not set: run the tests with \`npm test\` or \`npm run services -- ...\``);
  return value;
}
