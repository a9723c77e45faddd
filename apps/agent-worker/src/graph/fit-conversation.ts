import type { ContextOutcome } from '@copilot/context-budget';
import type { LimitCause } from '@copilot/limits';
import { fitRequest } from '@copilot/model-request';
import type { RunContext } from './run-context';
import type { AgentStateType } from './state';

export interface RequestOptions {
  /** What makes this the last call of the run: tools stay declared, but none may be called. */
  readonly closing: LimitCause | null;
}

/** The request of the next iteration from where the graph stands. */
export function fitConversation(
  { messages, topology, summary }: AgentStateType,
  { mode, prompts, limits, settings, learning }: RunContext,
  { closing }: RequestOptions,
): Promise<ContextOutcome> {
  return fitRequest({
    messages,
    topology,
    summary: summary?.text,
    mode,
    prompts,
    limits,
    settings,
    learned: learning.current,
    closing,
  });
}
