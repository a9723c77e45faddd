import { createDatabase } from '../../support/database';
import { migrate } from '@copilot/persistence';
import { startDemo, type DemoReady } from '../../e2e/support/demo-lab';
import { ScriptedModel } from '../../fakes/scripted-model';
import { PrivatePostgres } from '../../support/private-postgres';
import { PrivateRedis } from '../../support/private-redis';

export const ROUTERS = 8;
/** Of a console's answer, so that a call lasts long enough for its worker to die in it. */
const CONSOLE_LATENCY_MS = 120;

type Ends = () => Promise<void>;

/** What the service stands on and talks to: its stores, a lab that records every line, and a model's server. */
export class Surroundings {
  private constructor(
    readonly redis: PrivateRedis,
    readonly postgres: PrivatePostgres,
    readonly lab: DemoReady,
    readonly model: ScriptedModel,
    readonly databaseUrl: string,
    private readonly ends: readonly Ends[],
  ) {}

  /** When one of them cannot start, the others are taken down again. */
  static async start(): Promise<Surroundings> {
    const ends: Ends[] = [];
    const begun = async <T>(starting: Promise<T>, end: (started: T) => Promise<void>): Promise<T> => {
      const started = await starting;
      ends.push(() => end(started));
      return started;
    };
    // Nothing that Redis has acknowledged is lost when it is killed: what a Redis without its data costs has tests
    // of its own (reaper.e2e-spec.ts).
    const starting = [
      begun(PrivateRedis.start('--appendfsync', 'always'), (redis) => redis.remove()),
      begun(PrivatePostgres.start(), (postgres) => postgres.remove()),
      begun(
        startDemo({ DEMO_NODES: String(ROUTERS), DEMO_LATENCY_MS: String(CONSOLE_LATENCY_MS) }),
        ({ child }) => child.stop(),
      ),
      begun(ScriptedModel.start(), (model) => model.stop()),
    ] as const;
    try {
      const [redis, postgres, { ready: lab }, model] = await Promise.all(starting);
      const databaseUrl = await createDatabase(postgres.url);
      await migrate(databaseUrl);
      return new Surroundings(redis, postgres, lab, model, databaseUrl, ends);
    } catch (error) {
      await Promise.allSettled(starting);
      await Promise.all(ends.map((end) => end()));
      throw error;
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.ends.map((end) => end()));
  }
}
