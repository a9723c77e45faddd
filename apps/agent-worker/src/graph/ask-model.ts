import { callCompletedLine } from '@copilot/context-budget';
import { RunError } from '@copilot/contracts';
import { messageCounter } from '@copilot/model-request';
import type { TokenCounts } from '../models/chat-model';
import { isContextOverflow, toInterruption, toModelFailure } from '../models/model-failure';
import type { RequestOptions } from './fit-conversation';
import { modelRequest } from './model-request';
import { ModelTurn, type ModelAnswer } from './model-turn';
import type { RunContext } from './run-context';
import type { AgentStateType } from './state';

export interface Asked {
  readonly turn: ModelTurn;
  readonly answer: ModelAnswer;
  readonly tokens: TokenCounts;
  /** The provider gave no figures: these are our own count. */
  readonly estimated: boolean;
  readonly failure: RunError | undefined;
  /** The run's time is over or it was cancelled meanwhile: what there is, is incomplete. */
  readonly timeUp: boolean;
}

/** One model call, streamed to the viewers. Its failure is part of the answer; only a stop from outside throws. */
export async function askModel(
  state: AgentStateType,
  context: RunContext,
  options: RequestOptions,
): Promise<Asked> {
  const { learning, log } = context;
  const first = await attempt(state, context, options);
  if (!first.overflow) return first;
  if (!(await learning.fromOverflow())) return first;
  const { budgetFactor } = learning.current;
  log.warn({ budgetFactor }, 'the provider found the request too long; cut and sent again');
  return await attempt(state, context, options);
}

async function attempt(
  state: AgentStateType,
  context: RunContext,
  options: RequestOptions,
): Promise<Asked & { readonly overflow: boolean }> {
  const { model, settings, log, clock } = context;
  const turn = new ModelTurn(state.messages, (event) => context.publish(event), {
    mayCallTools: options.closing === null,
  });
  let sent = 0;
  let failure: RunError | undefined;
  let overflow = false;
  try {
    const { prepared, ...request } = await modelRequest(state, context, options);
    sent = prepared.report.total;
    for await (const piece of model.stream(request)) turn.add(piece);
  } catch (error) {
    // A stop from outside is no answer of the model's: the step is done again by whoever takes the run.
    if (context.signal.aborted) throw error;
    if (!clock.over.aborted) {
      overflow = !turn.hasBegun && isContextOverflow(error);
      failure = turn.hasBegun ? toInterruption(error, model.label) : toModelFailure(error, model.label);
      log.warn({ err: error }, 'model call failed');
    }
  }
  // Client libraries end an aborted stream with an error or just so.
  if (!turn.hasEnded) context.signal.throwIfAborted();
  const timeUp = clock.over.aborted && !turn.hasEnded;
  const answer = turn.finish({ broken: failure !== undefined || timeUp });
  if (!failure && !timeUp) log.info(callCompletedLine(answer.calls.length));
  const counter = messageCounter(settings.tokenizer);
  const said = {
    role: 'assistant' as const,
    content: answer.text,
    toolCalls: answer.calls.map(({ callId: id, name, rawArguments }) => ({
      id,
      name,
      arguments: rawArguments,
    })),
  };
  if (answer.tokens && !failure) await context.learning.fromCall(sent, answer.tokens.inputTokens);
  const tokens = answer.tokens ?? {
    inputTokens: sent,
    cachedInputTokens: 0,
    outputTokens: turn.hasBegun ? counter.countMessage(said) : 0,
  };
  return { turn, answer, tokens, estimated: answer.tokens === undefined, failure, timeUp, overflow };
}
