import { callCompletedLine } from '@copilot/context-budget';
import { RunError } from '@copilot/contracts';
import type { TokenCounts } from '../models/chat-model';
import { isContextOverflow, toInterruption, toModelFailure } from '../models/model-failure';
import { modelRequest, type RequestOptions } from './model-request';
import { ModelTurn, type ModelAnswer } from './model-turn';
import type { RunContext } from './run-context';
import type { AgentStateType } from './state';
import { messageCounter } from './token-counting';

export interface Asked {
  readonly turn: ModelTurn;
  readonly answer: ModelAnswer;
  readonly tokens: TokenCounts;
  /** The provider gave no figures: these are our own count. */
  readonly estimated: boolean;
  readonly failure: RunError | undefined;
  /** The deadline has struck meanwhile: what there is, is incomplete. */
  readonly timeUp: boolean;
}

/** What the budget is cut to for the one retry after a provider has refused a request as too long. */
const BUDGET_AFTER_OVERFLOW = 0.8;

/** One model call, streamed to the viewers. Its failure is part of the answer; only a stop from outside throws. */
export async function askModel(
  state: AgentStateType,
  context: RunContext,
  options: Pick<RequestOptions, 'closing'>,
): Promise<Asked> {
  const first = await attempt(state, context, { ...options, budgetFactor: 1 });
  if (!first.overflow) return first;
  context.log.warn(
    { factor: BUDGET_AFTER_OVERFLOW },
    'the provider found the request too long; cut and sent again',
  );
  return await attempt(state, context, { ...options, budgetFactor: BUDGET_AFTER_OVERFLOW });
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
    if (!clock.deadline.aborted) {
      overflow = !turn.hasBegun && isContextOverflow(error);
      failure = turn.hasBegun ? toInterruption(error, model.label) : toModelFailure(error, model.label);
      log.warn({ err: error }, 'model call failed');
    }
  }
  // Client libraries end an aborted stream with an error or just so.
  if (!turn.hasEnded) context.signal.throwIfAborted();
  const timeUp = clock.deadline.aborted && !turn.hasEnded;
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
  const tokens = answer.tokens ?? {
    inputTokens: sent,
    outputTokens: turn.hasBegun ? counter.countMessage(said) : 0,
  };
  return { turn, answer, tokens, estimated: answer.tokens === undefined, failure, timeUp, overflow };
}
