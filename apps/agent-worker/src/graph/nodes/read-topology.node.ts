import { RunError } from '@copilot/contracts';
import type { RunContext } from '../run-context';
import type { AgentStateType, AgentUpdate } from '../state';

/** Reads the lab at the run's start. Without the lab there is nothing to work on, so a failure ends the run. */
export async function readTopology(state: AgentStateType, context: RunContext): Promise<AgentUpdate> {
  try {
    const signal = AbortSignal.any([context.signal, context.clock.over]);
    return { topology: await context.readTopology(signal) };
  } catch (error) {
    context.signal.throwIfAborted();
    // The time is up, or the run was cancelled, before the work began; the model's turn says so.
    if (context.clock.over.aborted) return { topology: null };
    if (!(error instanceof RunError)) throw error;
    const failure = { code: error.code, message: error.message };
    return { topology: null, progress: { ...state.progress, failure, stopReason: 'error' } };
  }
}
