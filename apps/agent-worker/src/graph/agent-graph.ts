import { limitsToChoose, withAdjustments } from '@copilot/limits';
import { END, START, StateGraph, type BaseCheckpointSaver } from '@langchain/langgraph';
import { awaitTools } from './nodes/await-tools.node';
import { callModel } from './nodes/call-model.node';
import { nameSession } from './nodes/name-session.node';
import { planLimits } from './nodes/plan-limits.node';
import { readTopology } from './nodes/read-topology.node';
import { needsSettingOut, setOut } from './nodes/set-out.node';
import { summarizeLeftOut } from './nodes/summarize-left-out.node';
import type { RunContext } from './run-context';
import { AgentState, type AgentStateType } from './state';

/**
 * read_topology → [plan_limits →] [set_out →] [summarize_left_out →] call_model ⇄ await_tools → name_session
 *
 * Nothing here awaits another process: await_tools interrupts the graph with the calls, and the run goes on when
 * their results are in the database.
 */
export function agentGraph(context: RunContext, checkpointer: BaseCheckpointSaver) {
  /** The context with what the service has chosen of the limits itself and not stored yet. */
  const within = ({ progress }: AgentStateType): RunContext => ({
    ...context,
    get limits() {
      return withAdjustments(context.limits, progress.untold);
    },
  });
  return new StateGraph(AgentState)
    .addNode('read_topology', (state: AgentStateType) => readTopology(state, context))
    .addNode('plan_limits', (state: AgentStateType) => planLimits(state, context))
    .addNode('set_out', (state: AgentStateType) => setOut(state, within(state)))
    .addNode('summarize_left_out', (state: AgentStateType) => summarizeLeftOut(state, within(state)))
    .addNode('call_model', (state: AgentStateType) => callModel(state, within(state)))
    .addNode('await_tools', (state: AgentStateType) => awaitTools(state, within(state)))
    .addNode('name_session', (state: AgentStateType) => nameSession(state, within(state)))
    .addEdge(START, 'read_topology')
    .addConditionalEdges('read_topology', (state) => afterTopology(state, context), [
      'plan_limits',
      'set_out',
      'summarize_left_out',
      'call_model',
      END,
    ])
    .addEdge('plan_limits', 'set_out')
    .addConditionalEdges('set_out', () => beforeModel(context), ['summarize_left_out', 'call_model'])
    .addEdge('summarize_left_out', 'call_model')
    .addConditionalEdges('call_model', (state) => afterModel(state, context), [
      'await_tools',
      'name_session',
      END,
    ])
    .addConditionalEdges('await_tools', (state) => afterTools(state, context), [
      'summarize_left_out',
      'call_model',
      END,
    ])
    .addEdge('name_session', END)
    .compile({ checkpointer });
}

export type AgentGraph = ReturnType<typeof agentGraph>;

export type NodeName =
  | 'read_topology'
  | 'plan_limits'
  | 'set_out'
  | 'summarize_left_out'
  | 'call_model'
  | 'await_tools'
  | 'name_session';

function afterTopology({ progress }: AgentStateType, context: RunContext) {
  if (progress.failure) return END;
  const { limits, requested } = context;
  if (limits.auto_adjust_limits && limitsToChoose(requested).length > 0) return 'plan_limits';
  return needsSettingOut(context) ? 'set_out' : beforeModel(context);
}

/** Only who wants summaries pays for the step and its checkpoint. */
function beforeModel({ settings }: RunContext) {
  return settings.context_overflow === 'summarize' ? 'summarize_left_out' : 'call_model';
}

function afterModel({ progress }: AgentStateType, context: RunContext) {
  // Also in a run that fails: every call of the conversation has its result.
  if (progress.requested.length > 0) return 'await_tools';
  if (progress.failure) return END;
  // A run whose time or money is up has none for a title; the next one names the session.
  const isSpent = ['time_limit', 'cost_limit', 'aborted'].includes(progress.stopReason);
  return context.wantsTitle && !isSpent ? 'name_session' : END;
}

function afterTools({ progress }: AgentStateType, context: RunContext) {
  return progress.failure ? END : beforeModel(context);
}
