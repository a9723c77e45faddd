import { summaryBudget, summarySource, unsummarized } from '@copilot/context-budget';
import { messageCounter, toBudgetMessage, yieldToEventLoop } from '@copilot/model-request';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { hiddenCall } from '../hidden-call';
import { fitConversation } from '../fit-conversation';
import type { RunContext } from '../run-context';
import type { AgentStateType, AgentUpdate, RollingSummary } from '../state';

/** The user waits for the answer behind it; after this the request goes out with what is kept. */
const SUMMARY_TIMEOUT_MS = 60_000;
/** Share of the input budget for the text to summarise; prompt and summary so far come on top. */
const SOURCE_SHARE = 0.5;
/** Words of the summary for one token of its budget, on the safe side. */
const WORDS_PER_TOKEN = 0.5;
/** No language writes more characters a token; what is longer is cut when it is used. */
const MAX_CHARS_PER_TOKEN = 6;

const NO_SUMMARY: RollingSummary = { text: '', upTo: undefined, failedIn: undefined };

/**
 * Folds into the rolling summary what the next request will leave out. A step of its own, so that a worker that
 * dies in the model call behind it does not pay for the summary twice. Without one the request is only trimmed.
 */
export async function summarizeLeftOut(state: AgentStateType, context: RunContext): Promise<AgentUpdate> {
  const summary = state.summary ?? NO_SUMMARY;
  // One that failed is not tried again at every iteration: each would cost the user its time limit.
  if (summary.failedIn === context.runId || context.clock.over.aborted) return {};
  const fitted = await fitConversation(state, context, { closing: null });
  if (!fitted.ok) return {};
  const leftOut = unsummarized(state.messages.map(toBudgetMessage), fitted.dropped, summary.upTo);
  if (leftOut.length === 0) return {};

  const counter = messageCounter(context.settings.tokenizer);
  const maxTokens = Math.floor(fitted.budget * SOURCE_SHARE);
  const text = await summarySource(leftOut, maxTokens, counter, yieldToEventLoop);
  const maxSummaryTokens = summaryBudget(fitted.budget);
  const answer = await hiddenCall(context, state.progress.usage, {
    messages: [
      new SystemMessage(context.prompts('summary')),
      new HumanMessage(task(summary.text, text, maxSummaryTokens)),
    ],
    timeoutMs: SUMMARY_TIMEOUT_MS,
    maxChars: maxSummaryTokens * MAX_CHARS_PER_TOKEN,
    outputTokens: maxSummaryTokens,
  });
  const progress = { ...state.progress, usage: answer.usage };
  if (answer.failure !== undefined || answer.text.trim() === '') {
    context.log.warn({ err: answer.failure }, 'summary could not be made; the conversation is only trimmed');
    return { summary: { ...summary, failedIn: context.runId }, progress };
  }
  context.log.info({ messages: leftOut.length, chars: answer.text.length }, 'summarised what is left out');
  return { summary: { text: answer.text, upTo: leftOut.at(-1)?.id, failedIn: undefined }, progress };
}

function task(soFar: string, text: string, maxTokens: number): string {
  return [
    `Write at most ${Math.max(20, Math.floor(maxTokens * WORDS_PER_TOKEN))} words.`,
    ...(soFar === '' ? [] : [`### Summary so far\n\n${soFar}`]),
    `### What is to be added\n\n${text}`,
  ].join('\n\n');
}
