import { connect, type Connection } from '@copilot/persistence';
import type { Child } from '../test/e2e/support/child';
import { Stack } from '../test/e2e/support/stack';

const AGENTS = 2;

/** The service with workers that can be told apart, so that the one that holds a run can be killed. */
export class RecoveryService {
  private constructor(
    readonly stack: Stack,
    readonly database: Connection,
  ) {}

  static async start(): Promise<RecoveryService> {
    const stack = await Stack.start({ agents: AGENTS, tools: 1, demoEnv: { DEMO_NODES: '4' } });
    return new RecoveryService(
      stack,
      connect(stack.databaseUrl, () => undefined, 2),
    );
  }

  /** The agent worker that holds the run, by the name in its row. */
  async holderOf(runId: string): Promise<Child> {
    const { rows } = await this.database.pool.query<{ claimed_by: string | null }>(
      'SELECT claimed_by FROM runs WHERE run_id = $1',
      [runId],
    );
    const pid = Number(rows[0]?.claimed_by?.split('/').at(-1));
    const holder = this.stack.agents.find((agent) => agent.pid === pid && agent.running);
    if (!holder) throw new Error(`no agent worker holds run ${runId}: ${rows[0]?.claimed_by}`);
    return holder;
  }

  /** Kills an agent worker; another takes its place. */
  killAgent(holder: Child): number {
    const killedAt = performance.now();
    holder.signal('SIGKILL');
    this.stack.agents.splice(this.stack.agents.indexOf(holder), 1);
    this.stack.startAgent();
    return killedAt;
  }

  /** Kills the one tool worker there was when `standby` was started. */
  async killTool(standby: Child): Promise<number> {
    const holder = this.stack.tools.find((tool) => tool !== standby && tool.running);
    if (!holder) throw new Error('there is no tool worker to kill');
    await standby.line('tool worker ready');
    const killedAt = performance.now();
    holder.signal('SIGKILL');
    this.stack.tools.splice(this.stack.tools.indexOf(holder), 1);
    return killedAt;
  }

  async ready(): Promise<void> {
    await this.stack.ready();
  }

  async stop(): Promise<void> {
    await this.database.pool.end();
    await this.stack.stop();
  }
}
