import { randomUUID } from 'node:crypto';
import { NO_USAGE, type RunEvent } from '@copilot/contracts';
import { RunEventWriter } from '@copilot/events';
import {
  claimedCheckpointer,
  threadId,
  type ClaimedRun,
  type Connection,
  type NewToolCall,
  type RunOutcome,
  type RunsRepository,
  type ToolCallsRepository,
} from '@copilot/persistence';
import type { RedisClient } from '@copilot/redis';
import type { BaseMessage } from '@langchain/core/messages';

export const DONE: RunEvent = { type: 'done', stop_reason: 'completed', usage: NO_USAGE };
export const text = (content: string): RunEvent => ({ type: 'content', content });
export const part = (id: string, delta: string, complete = false): RunEvent => ({
  type: 'tool_call',
  tool_call_id: id,
  name: 'gns3_topology_reader',
  arguments_delta: delta,
  complete,
});

interface Stores {
  readonly runs: RunsRepository;
  readonly toolCalls: ToolCallsRepository;
  readonly redis: RedisClient;
  readonly connection: Connection;
}

/** The test in the role of an agent worker: it takes a run, writes its events and ends it. */
export class PlayedAgent {
  private readonly writer: RunEventWriter;

  private constructor(
    private readonly stores: Stores,
    private readonly claimed: ClaimedRun,
  ) {
    const { runId, attempt } = claimed.claim;
    this.writer = new RunEventWriter(stores.redis, runId, { writer: 'agent', attempt }, 60);
  }

  static async take(stores: Stores, runId: string): Promise<PlayedAgent> {
    const run = await stores.runs.find(runId);
    const claimed = run && (await stores.runs.claim(run, 'played-agent'));
    if (!claimed) throw new Error(`run ${runId} cannot be claimed`);
    return new PlayedAgent(stores, claimed);
  }

  say(...events: RunEvent[]): Promise<void> {
    return this.writer.append(...events);
  }

  callTools(...calls: NewToolCall[]): Promise<void> {
    return this.stores.toolCalls.add(this.claimed.claim, calls);
  }

  /** Writes a checkpoint with these messages as the whole conversation. */
  async remember(...messages: BaseMessage[]): Promise<void> {
    const { claim, session } = this.claimed;
    const checkpoint = {
      v: 4,
      id: randomUUID(),
      ts: new Date().toISOString(),
      channel_values: { messages },
      channel_versions: { messages: claim.attempt },
      versions_seen: {},
    };
    await claimedCheckpointer(this.stores.connection.pool, claim).put(
      { configurable: { thread_id: threadId(session.id), checkpoint_ns: '' } },
      checkpoint,
      { source: 'loop', step: 1, parents: {} },
      { messages: claim.attempt },
    );
  }

  get runId(): string {
    return this.claimed.run.runId;
  }

  /** Row first, then `done`, as the agent worker does. */
  async finish(outcome: Partial<RunOutcome> = {}): Promise<void> {
    const { stopReason, usage } = await this.finishUntold(outcome);
    await this.say({ type: 'done', stop_reason: stopReason, usage });
  }

  /** As an agent worker that dies right after the row has the end. */
  async finishUntold(outcome: Partial<RunOutcome> = {}): Promise<RunOutcome> {
    const whole: RunOutcome = {
      status: 'completed',
      stopReason: 'completed',
      usage: NO_USAGE,
      messages: 2,
      ...outcome,
    };
    await this.stores.runs.finish(this.claimed.claim, whole);
    return whole;
  }
}
