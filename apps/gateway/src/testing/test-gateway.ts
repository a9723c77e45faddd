import { randomUUID } from 'node:crypto';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { LOCAL_USER_ID } from '@copilot/contracts';
import { WakeHub } from '@copilot/events';
import { createLogger, type Logger } from '@copilot/observability';
import {
  DATABASE,
  migrate,
  RunsRepository,
  ToolCallsRepository,
  type Connection,
} from '@copilot/persistence';
import { connectPatient, type RedisClient } from '@copilot/redis';
import { createDatabase, dropDatabase } from '../../../../test/support/database';
import { createApp } from '../http/create-app';
import { settingsSchema } from '../settings';
import { OpenStreams } from '../sse/open-streams';
import type { SseTimes } from '../sse/sse-stream';
import { FakeGns3 } from './fake-gns3';
import { PlayedAgent } from './played-agent';

interface Options {
  /** Another gateway on the same stores. */
  readonly beside?: TestGateway;
  readonly sseTimes?: SseTimes;
  readonly redisUrl?: string;
  /** How the gateway reaches its database, where a test comes between. */
  readonly databaseVia?: (url: string) => Promise<string>;
  readonly settings?: Record<string, string>;
  readonly logger?: Logger;
}

/** The real gateway in this process on a free port, with real stores and a database of its own. */
export class TestGateway {
  readonly projectId: string = randomUUID();

  private constructor(
    readonly app: NestExpressApplication,
    readonly url: string,
    readonly gns3: FakeGns3,
    /** A connection of the test's own. */
    readonly redis: RedisClient,
    private readonly databaseUrl: string,
    private readonly ownsDatabase: boolean,
  ) {
    gns3.projects.set(this.projectId, 'opened');
  }

  static async start(options: Options = {}): Promise<TestGateway> {
    const redisUrl = options.redisUrl ?? required('REDIS_URL');
    const databaseUrl = options.beside?.databaseUrl ?? (await createDatabase(required('DATABASE_URL')));
    await migrate(databaseUrl);
    const gns3 = await FakeGns3.start();
    const settings = settingsSchema.parse({
      REDIS_URL: redisUrl,
      DATABASE_URL: (await options.databaseVia?.(databaseUrl)) ?? databaseUrl,
      GNS3_URL: gns3.url,
      SECRET_KEY: randomUUID(),
      PORT: 0,
      ...options.settings,
    });
    const app = await createApp(
      settings,
      options.logger ?? createLogger('gateway', 'silent'),
      options.sseTimes,
    );
    await app.listen(0, '127.0.0.1');
    const redis = connectPatient(redisUrl, () => undefined);
    return new TestGateway(app, await app.getUrl(), gns3, redis, databaseUrl, options.beside === undefined);
  }

  chatUrl(path: string, projectId = this.projectId): string {
    return `${this.url}/v3/projects/${projectId}/chat${path}`;
  }

  get configsUrl(): string {
    return `${this.url}/v3/users/${LOCAL_USER_ID}/llm-model-configs`;
  }

  get connection(): Connection {
    return this.app.get<Connection>(DATABASE);
  }

  get wakes(): WakeHub {
    return this.app.get(WakeHub);
  }

  get openStreams(): OpenStreams {
    return this.app.get(OpenStreams);
  }

  /** Chats need a model config. */
  async configureModel(userId: string = LOCAL_USER_ID, token?: string): Promise<void> {
    const config = {
      name: 'm',
      model_type: 'text',
      provider: 'openai',
      base_url: '',
      model: 'm',
      context_limit: 8,
    };
    const request = jsonRequest('POST', config);
    const response = await fetch(`${this.url}/v3/users/${userId}/llm-model-configs`, {
      ...request,
      headers: { ...request.headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    });
    if (response.status !== 201) throw new Error(`model config: ${response.status} ${await response.text()}`);
  }

  play(runId: string): Promise<PlayedAgent> {
    return PlayedAgent.take(
      {
        runs: this.app.get(RunsRepository),
        toolCalls: this.app.get(ToolCallsRepository),
        redis: this.redis,
        connection: this.connection,
      },
      runId,
    );
  }

  async stop(): Promise<void> {
    await this.app.close();
    this.redis.disconnect();
    await this.gns3.stop();
    if (this.ownsDatabase) await dropDatabase(required('DATABASE_URL'), this.databaseUrl);
  }
}

export function jsonRequest(
  method: string,
  body: unknown,
): RequestInit & { headers: Record<string, string> } {
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function required(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(`${name} is not set: run the tests with \`npm test\` or \`npm run services -- ...\``);
  return value;
}
