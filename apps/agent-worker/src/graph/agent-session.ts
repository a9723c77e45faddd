import { isToolMessage, HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { Command, INTERRUPT, isInterrupted, type BaseCheckpointSaver } from '@langchain/langgraph';
import { threadId, type ClaimedRun, type RunOutcome, type ToolCallsRepository } from '@copilot/persistence';
import { agentGraph, type AgentGraph, type NodeName } from './agent-graph';
import type { ToolInterrupt } from './nodes/await-tools.node';
import { closingMessage, openCalls } from './open-calls';
import type { RunContext } from './run-context';
import { freshProgress, type AgentStateType, type AgentUpdate, type CallResult } from './state';

/** How the graph is to be moved on. */
export type Advance =
  | { readonly type: 'start'; readonly input: AgentUpdate }
  | { readonly type: 'continue' }
  | { readonly type: 'resume'; readonly results: readonly CallResult[] };

/** Where a run's graph stands, read from its checkpoint alone. */
export type Position =
  | { readonly at: 'step'; readonly next: Advance; readonly repeatsModelCall: boolean }
  | { readonly at: 'tools'; readonly interrupt: ToolInterrupt }
  | { readonly at: 'end'; readonly outcome: RunOutcome };

/** The graph of one claimed run on its session's thread. */
export class AgentSession {
  private readonly graph: AgentGraph;
  private readonly config: { configurable: { thread_id: string } };

  constructor(
    private readonly claimed: ClaimedRun,
    context: RunContext,
    checkpointer: BaseCheckpointSaver,
    private readonly toolCalls: ToolCallsRepository,
  ) {
    this.graph = agentGraph(context, checkpointer);
    this.config = { configurable: { thread_id: threadId(claimed.session.id) } };
  }

  async position(): Promise<Position> {
    const snapshot = await this.graph.getState(this.config);
    const state = snapshot.values as Partial<AgentStateType>;
    const { runId } = this.claimed.run;
    if (state.progress?.runId !== runId) {
      return {
        at: 'step',
        next: { type: 'start', input: await this.inputFor(state) },
        repeatsModelCall: false,
      };
    }
    const [interrupt] = snapshot.tasks.flatMap((task) => task.interrupts);
    if (interrupt) return atTools(interrupt.value);
    // An empty `next` alone does not mean that the graph has finished.
    if (snapshot.next.length > 0 || snapshot.tasks.length > 0) {
      return {
        at: 'step',
        next: { type: 'continue' },
        repeatsModelCall: snapshot.next.includes('call_model'),
      };
    }
    return { at: 'end', outcome: outcomeOf(snapshot.values as AgentStateType) };
  }

  /** Runs the graph to its next interrupt or its end; each step is checkpointed before the one after it. */
  async advance(next: Advance): Promise<Position> {
    const options = { ...this.config, durability: 'sync' as const };
    const state = await this.graph.invoke(inputOf(next), options);
    // Saves reading back the checkpoint that was just written.
    if (isInterrupted<ToolInterrupt>(state)) return atTools(state[INTERRUPT][0]?.value);
    return { at: 'end', outcome: outcomeOf(state) };
  }

  /** The run's message, after answers to whatever an earlier run left open. */
  private async inputFor(state: Partial<AgentStateType>): Promise<AgentUpdate> {
    const { run } = this.claimed;
    const answers: BaseMessage[] = [];
    for (const open of openCalls(state.messages ?? [])) {
      const row = state.progress && (await this.toolCalls.find(state.progress.runId, open.callId));
      answers.push(closingMessage(open, row?.output));
    }
    const message = new HumanMessage({
      id: run.runId,
      content: run.message,
      additional_kwargs: { created_at: run.createdAt.toISOString() },
    });
    return {
      messages: [...answers, message],
      progress: freshProgress(run.runId, run.prices),
      topology: null,
      title: null,
    };
  }
}

function inputOf(next: Advance) {
  switch (next.type) {
    case 'start':
      return next.input;
    case 'continue':
      return null;
    case 'resume':
      return new Command<unknown, AgentUpdate, NodeName>({ resume: next.results });
  }
}

function atTools(value: unknown): Position {
  return { at: 'tools', interrupt: value as ToolInterrupt };
}

function outcomeOf({ messages, progress, title }: AgentStateType): RunOutcome {
  const { failure, usage, stopReason } = progress;
  // As the wire contract counts: the user's message, one answer, and every tool result.
  const results = messages.filter(
    (message) => isToolMessage(message) && message.id?.startsWith(progress.runId),
  );
  return {
    status: failure ? 'failed' : stopReason === 'aborted' ? 'cancelled' : 'completed',
    stopReason,
    ...(failure ? { error: failure } : {}),
    usage,
    ...(title === null ? {} : { title }),
    messages: 1 + (usage.llm_calls > 0 ? 1 : 0) + results.length,
  };
}
