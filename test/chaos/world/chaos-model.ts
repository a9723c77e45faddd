import { requestFaults, asBudgetMessage } from '../../fakes/strict-provider';
import type { ChatRequest, Script, ScriptedModel, Turn } from '../../fakes/scripted-model';
import { chatsIn, type ChatPlan } from '../plan/chat-plan';
import { piecesOf } from '../plan/planned-iterations';

/** The message after which a session's conversation is looked at as a whole. */
export const LAST_WORD = 'And now?';

/** One question to the model, as far as the oracle wants to know of it. */
export interface Asked {
  readonly chat: number;
  /** All chats of the conversation in the order in which their messages stand there. */
  readonly conversation: readonly number[];
}

/** What a strict provider would have refused, and what it was asked, in order. */
export interface ModelRecord {
  readonly faults: readonly string[];
  readonly asked: readonly Asked[];
  /** By session, what the last word's question had before it. */
  readonly lastWords: ReadonlyMap<string, readonly number[]>;
}

/** Plays the chats by their plans on a provider that refuses every history that a strict one would refuse. */
export class ChaosModel {
  private readonly faults: string[] = [];
  private readonly asked: Asked[] = [];
  private readonly lastWords = new Map<string, readonly number[]>();
  private readonly plans: ReadonlyMap<number, ChatPlan>;

  constructor(
    private readonly model: ScriptedModel,
    plans: readonly ChatPlan[],
  ) {
    this.plans = new Map(plans.map((plan) => [plan.chat, plan]));
    model.play(this.script);
  }

  get record(): ModelRecord {
    const { faults, asked, lastWords } = this;
    return { faults, asked, lastWords };
  }

  private readonly script: Script = (request): Turn => {
    // A long run's requests would fill the memory; what is to be known of them is kept here.
    this.model.requests.length = 0;
    const users = request.messages.filter(({ role }) => role === 'user');
    const conversation = users.flatMap(({ content }) => chatsIn(String(content)));
    const question = String(users.at(-1)?.content);
    const plan = this.plans.get(conversation.at(-1) ?? 0);
    const faults = [...requestFaults(request.messages.map(asBudgetMessage)), ...this.foreign(conversation)];
    if (!plan && !question.endsWith(LAST_WORD))
      faults.push(`the question is missing: ${question.slice(0, 80)}`);
    if (faults.length > 0) {
      const whose = `chat ${conversation.at(-1) ?? '?'}`;
      this.faults.push(...faults.map((fault) => `${whose}: ${fault}`));
      return { status: 400, error: `refused: ${faults.join('; ')}` };
    }
    if (question.endsWith(LAST_WORD) || !plan) {
      if (plan) this.lastWords.set(plan.session, conversation);
      return { text: 'Here I am.' };
    }
    this.asked.push({ chat: plan.chat, conversation });
    return turnOf(plan, request);
  };

  /** A conversation has the messages of its own session, each once. */
  private foreign(conversation: readonly number[]): string[] {
    const sessions = new Set(conversation.map((chat) => this.plans.get(chat)?.session));
    return [
      ...(sessions.size > 1 ? [`messages of several sessions: ${conversation.join(', ')}`] : []),
      ...(new Set(conversation).size < conversation.length
        ? [`a message stands twice: ${conversation.join(', ')}`]
        : []),
    ];
  }
}

function turnOf(plan: ChatPlan, request: ChatRequest): Turn {
  const question = request.messages.findLastIndex(({ role }) => role === 'user');
  const before = request.messages.slice(question).filter(({ role }) => role === 'assistant').length;
  const planned = plan.iterations[before];
  // After a limit the model is asked once more, without tools.
  if (!planned || request.tool_choice === 'none' || request.tools === undefined) {
    return { text: piecesOf(plan.chat, before + 1, 1), pieceDelayMs: 20 };
  }
  return { text: planned.pieces, pieceDelayMs: planned.pieceDelayMs, calls: planned.calls };
}
