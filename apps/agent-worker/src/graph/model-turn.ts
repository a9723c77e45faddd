import { RunError, type RunEvent } from '@copilot/contracts';
import { isAIMessage, type BaseMessage } from '@langchain/core/messages';
import type { ModelPiece, TokenCounts } from '../models/chat-model';
import { ToolCallAssembler, type AssembledCall, type ToolCallFragment } from '../models/tool-call-assembler';

export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly AssembledCall[];
  readonly finishReason: string | undefined;
  /** The provider's own figures, where it gave any. */
  readonly tokens: TokenCounts | undefined;
}

/** Text and arguments of one answer; far beyond what any model's window lets it say. */
const MAX_ANSWER_CHARS = 1_000_000;
const FRAGMENT_OVERHEAD = 20;

/** Collects one model answer while its pieces are shown to the viewers as they come. */
export class ModelTurn {
  text = '';
  private size = 0;
  private finishReason: string | undefined;
  private tokens: TokenCounts | undefined;
  private readonly assembler: ToolCallAssembler;
  private readonly shown = new Set<string>();

  constructor(
    history: readonly BaseMessage[],
    private readonly publish: (event: RunEvent) => void,
    private readonly options: { readonly mayCallTools: boolean },
  ) {
    this.assembler = new ToolCallAssembler(history.flatMap(callIdsOf));
  }

  /** Whether viewers have been shown anything of it. */
  get hasBegun(): boolean {
    return this.text !== '' || this.shown.size > 0;
  }

  /** The provider has said why it stopped, so the answer is whole. */
  get hasEnded(): boolean {
    return this.finishReason !== undefined;
  }

  /** Throws RunError when the answer outgrows every use: a model that repeats itself would never end. */
  add(piece: ModelPiece): void {
    this.size +=
      piece.type === 'text' ? piece.text.length : piece.type === 'tool-call' ? sizeOf(piece.fragment) : 0;
    if (this.size > MAX_ANSWER_CHARS) {
      throw new RunError(
        'model_interrupted',
        `The model's answer was stopped at ${MAX_ANSWER_CHARS} characters; it probably repeats itself. Word the message differently, or set max_tokens in the model configuration.`,
      );
    }
    switch (piece.type) {
      case 'text':
        return this.addText(piece.text);
      case 'tool-call':
        // In a closing call a provider may ask for tools all the same: neither shown nor executed.
        return this.options.mayCallTools ? this.addFragment(piece.fragment) : undefined;
      case 'finish':
        this.finishReason = piece.reason;
        return;
      case 'usage':
        this.tokens = piece.tokens;
    }
  }

  addText(text: string): void {
    this.text += text;
    this.publish({ type: 'content', content: text });
  }

  /** Ends the turn; the calls of an unbroken one are shown as complete, every one of them. */
  finish({ broken }: { readonly broken: boolean }): ModelAnswer {
    const calls = this.assembler.finish();
    if (!broken) for (const { callId, name } of calls) this.showPiece(callId, name, '', true);
    return { text: this.text, calls, finishReason: this.finishReason, tokens: this.tokens };
  }

  private addFragment(fragment: ToolCallFragment): void {
    const { callId, name, argumentsDelta } = this.assembler.add(fragment);
    // The web UI opens a call on a frame without arguments and then follows the growing text.
    if (!this.shown.has(callId)) {
      this.shown.add(callId);
      this.showPiece(callId, name, '', false);
    }
    if (fragment.args !== undefined && fragment.args !== null) {
      this.showPiece(callId, name, argumentsDelta, false);
    }
  }

  private showPiece(callId: string, name: string, argumentsDelta: string, complete: boolean): void {
    this.publish({
      type: 'tool_call',
      tool_call_id: callId,
      name,
      arguments_delta: argumentsDelta,
      complete,
    });
  }
}

/** Every fragment costs an event, so an empty one counts too. */
function sizeOf({ args }: ToolCallFragment): number {
  return (args?.length ?? 0) + FRAGMENT_OVERHEAD;
}

function callIdsOf(message: BaseMessage): string[] {
  return isAIMessage(message) ? (message.tool_calls ?? []).flatMap(({ id }) => (id ? [id] : [])) : [];
}
