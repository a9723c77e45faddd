import type { BudgetMessage } from '../messages/message';
import type { MessageCounter } from '../messages/message-counter';
import type { PreparedContext } from '../prepare/outcome';
import { type ContextRequest, prepareContext } from '../prepare/prepare-context';

/** A request whose input budget is `contextLimitK` x 600 tokens. */
export function request(
  messages: readonly BudgetMessage[],
  contextLimitK: number,
  rest: Partial<ContextRequest> = {},
): ContextRequest {
  return {
    messages,
    prompt: { template: 'You operate a lab.' },
    tools: [],
    config: { model: 'gpt-4o', contextLimitK, strategy: 'conservative' },
    ...rest,
  };
}

/** A preparation that must succeed. */
export function prepared(contextRequest: ContextRequest, counter: MessageCounter): PreparedContext {
  const outcome = prepareContext(contextRequest, counter);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome;
}
