import { HumanMessage, isAIMessage, isHumanMessage, SystemMessage } from '@langchain/core/messages';
import { hiddenCall } from '../hidden-call';
import type { RunContext } from '../run-context';
import { toSessionTitle } from '../session-title';
import type { AgentStateType, AgentUpdate } from '../state';

/** A title is worth no more waiting than this: `done` comes after it. */
const TITLE_TIMEOUT_MS = 15_000;
/** Characters of question and answer that the title is made from. */
const EXCERPT = 2_000;
const MAX_PROPOSAL_CHARS = 2_000;
const EXPECTED_TOKENS = 30;
const TEMPERATURE = 1;

/** Names the conversation by a hidden call, neither shown nor counted as an iteration. */
export async function nameSession(state: AgentStateType, context: RunContext): Promise<AgentUpdate> {
  const question = state.messages.find(isHumanMessage)?.text ?? '';
  const answer = state.messages.findLast((message) => isAIMessage(message))?.text ?? '';
  const excerpt = `User: ${question.slice(0, EXCERPT)}\n\nAssistant: ${answer.slice(0, EXCERPT)}`;
  const { text, usage, failure } = await hiddenCall(context, state.progress.usage, {
    messages: [new SystemMessage(context.prompts('title')), new HumanMessage(excerpt)],
    timeoutMs: TITLE_TIMEOUT_MS,
    maxChars: MAX_PROPOSAL_CHARS,
    outputTokens: EXPECTED_TOKENS,
    temperature: TEMPERATURE,
  });
  // The answer is there; a conversation without a generated name is no reason to fail it.
  if (failure !== undefined) context.log.warn({ err: failure }, 'session title could not be generated');
  return {
    title: toSessionTitle(text, question),
    progress: { ...state.progress, usage },
  };
}
