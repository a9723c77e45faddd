import { withDeadline } from '@copilot/config';
import { HumanMessage, isAIMessage, isHumanMessage, SystemMessage } from '@langchain/core/messages';
import type { ModelPiece } from '../../models/chat-model';
import { TITLE_PROMPT } from '../prompt-files';
import type { RunContext } from '../run-context';
import { toSessionTitle } from '../session-title';
import type { AgentStateType, AgentUpdate } from '../state';

/** A title is worth no more waiting than this: `done` comes after it. */
const TITLE_TIMEOUT_MS = 15_000;
/** Characters of question and answer that the title is made from. */
const EXCERPT = 2_000;
const TEMPERATURE = 1;
/** A model that goes on and on has not understood; what it said so far is cut to a title. */
const MAX_PROPOSED = 500;

/** Names the conversation by a hidden call, neither shown nor counted as an iteration. */
export async function nameSession(state: AgentStateType, context: RunContext): Promise<AgentUpdate> {
  const question = state.messages.find(isHumanMessage)?.text ?? '';
  const answer = state.messages.findLast((message) => isAIMessage(message))?.text ?? '';
  let proposed = '';
  const overhead = { ...state.progress.usage.overhead };
  try {
    const excerpt = `User: ${question.slice(0, EXCERPT)}\n\nAssistant: ${answer.slice(0, EXCERPT)}`;
    await withDeadline(context.signal, TITLE_TIMEOUT_MS, async (signal) => {
      const pieces = context.model.stream({
        messages: [new SystemMessage(TITLE_PROMPT), new HumanMessage(excerpt)],
        tools: [],
        toolChoice: 'none',
        temperature: TEMPERATURE,
        signal,
      });
      for await (const piece of pieces) {
        if (piece.type === 'text') proposed += piece.text;
        if (piece.type === 'usage') count(overhead, piece);
        if (proposed.length > MAX_PROPOSED) break;
      }
    });
  } catch (error) {
    if (context.signal.aborted) throw error;
    // The answer is there; a conversation without a generated name is no reason to fail it.
    context.log.warn({ err: error }, 'session title could not be generated');
  }
  return {
    title: toSessionTitle(proposed, question),
    progress: { ...state.progress, usage: { ...state.progress.usage, overhead } },
  };
}

function count(
  overhead: { input_tokens: number; output_tokens: number },
  { tokens }: Extract<ModelPiece, { type: 'usage' }>,
): void {
  overhead.input_tokens += tokens.inputTokens;
  overhead.output_tokens += tokens.outputTokens;
}
