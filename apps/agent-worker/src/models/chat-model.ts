import type { BaseMessage } from '@langchain/core/messages';
import type { ModelTool } from '@copilot/model-request';
import type { ToolCallFragment } from './tool-call-assembler';

export interface ModelRequest {
  readonly messages: readonly BaseMessage[];
  readonly tools: readonly ModelTool[];
  /** `none`: the tools stay declared, as providers want for a history with calls, but none may be called. */
  readonly toolChoice: 'auto' | 'none';
  readonly temperature?: number;
  readonly signal: AbortSignal;
}

export interface TokenCounts {
  readonly inputTokens: number;
  /** Part of them: read from the provider's cache. */
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

/** One piece of a model's answer. */
export type ModelPiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-call'; readonly fragment: ToolCallFragment }
  | { readonly type: 'finish'; readonly reason: string }
  | { readonly type: 'usage'; readonly tokens: TokenCounts };

/** A provider's model, reduced to what the agent needs. Rejects with RunError. */
export interface ChatModel {
  /** For messages to people: model name and host, without any secret. */
  readonly label: string;
  stream(request: ModelRequest): AsyncIterable<ModelPiece>;
}
