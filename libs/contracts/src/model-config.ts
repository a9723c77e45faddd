import { z } from 'zod';

export const CONTEXT_STRATEGIES = ['conservative', 'balanced', 'aggressive'] as const;
export type ContextStrategy = (typeof CONTEXT_STRATEGIES)[number];

/** What happens to the part of a conversation that does not fit: left out, or kept as a summary. */
export const CONTEXT_OVERFLOWS = ['trim', 'summarize'] as const;
export type ContextOverflow = (typeof CONTEXT_OVERFLOWS)[number];

export const TOKENIZERS = ['cl100k_base', 'o200k_base'] as const;

export const MODEL_TYPES = [
  'text',
  'vision',
  'stt',
  'tts',
  'multimodal',
  'embedding',
  'reranking',
  'other',
] as const;

/** `context_limit` and everything else of a stored model config that the agent works from. */
export const modelSettingsSchema = z.looseObject({
  provider: z.string(),
  base_url: z.string(),
  model: z.string(),
  temperature: z.number().default(0.7),
  max_tokens: z.number().int().positive().nullish(),
  /** K tokens, 1K = 1000. */
  context_limit: z.number().int().positive(),
  context_strategy: z.enum(CONTEXT_STRATEGIES).default('balanced'),
  copilot_mode: z.string().nullish(),
  context_overflow: z.enum(CONTEXT_OVERFLOWS).default('trim'),
  tokenizer: z.enum(TOKENIZERS).default('cl100k_base'),
});
export type ModelSettings = z.infer<typeof modelSettingsSchema>;

/** The text for a missing or bad `context_limit`; the design document fixes it word for word. */
export const CONTEXT_LIMIT_REQUIRED =
  "context_limit is required (unit: K tokens, e.g., 128 = 128K = 128,000 tokens). Please check your model provider's documentation for the current context window size and specify it in the configuration.";
