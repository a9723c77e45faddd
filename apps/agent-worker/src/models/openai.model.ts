import type { ModelSettings } from '@copilot/contracts';
import type { AIMessageChunk } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import type { ChatModel, ModelPiece, ModelRequest } from './chat-model';

/** Tries before the first piece of an answer; the client waits longer each time. */
const MAX_RETRIES = 2;

/** Any server that speaks OpenAI's chat completions protocol, at the config's `base_url`. */
export class OpenAiModel implements ChatModel {
  readonly label: string;
  private readonly fields: ConstructorParameters<typeof ChatOpenAI>[0] & object;

  constructor(settings: ModelSettings, apiKey: string | undefined, fetchImplementation: typeof fetch) {
    this.label = `'${settings.model}' at ${addressOf(settings.base_url)}`;
    this.fields = {
      model: settings.model,
      temperature: settings.temperature,
      ...(settings.max_tokens ? { maxTokens: settings.max_tokens } : {}),
      // Local servers want none, the client library insists on one.
      apiKey: apiKey ?? 'none',
      streamUsage: true,
      useResponsesApi: false,
      maxRetries: MAX_RETRIES,
      configuration: {
        ...(settings.base_url ? { baseURL: settings.base_url } : {}),
        fetch: fetchImplementation,
      },
    };
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelPiece> {
    const { temperature } = request;
    const client = new ChatOpenAI({ ...this.fields, ...(temperature === undefined ? {} : { temperature }) });
    const chunks = await client.stream([...request.messages], {
      signal: request.signal,
      callbacks: [],
      ...(request.tools.length > 0
        ? {
            tools: request.tools.map((tool) => ({ type: 'function' as const, function: { ...tool } })),
            tool_choice: request.toolChoice,
          }
        : {}),
    });
    for await (const chunk of chunks) yield* piecesOf(chunk);
  }
}

/** Without a query, which may hold a key. */
function addressOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return 'the default address of OpenAI';
  const { origin, pathname } = new URL(baseUrl);
  return origin + pathname;
}

function* piecesOf(chunk: AIMessageChunk): Generator<ModelPiece> {
  if (typeof chunk.content === 'string' && chunk.content !== '') yield { type: 'text', text: chunk.content };
  for (const fragment of chunk.tool_call_chunks ?? []) yield { type: 'tool-call', fragment };
  const reason: unknown = chunk.response_metadata.finish_reason;
  if (typeof reason === 'string') yield { type: 'finish', reason };
  if (chunk.usage_metadata) {
    const { input_tokens: inputTokens, output_tokens: outputTokens } = chunk.usage_metadata;
    // A provider that counts more cached than input tokens would make a later sum wrong.
    const cached = Math.min(inputTokens, chunk.usage_metadata.input_token_details?.cache_read ?? 0);
    yield { type: 'usage', tokens: { inputTokens, cachedInputTokens: cached, outputTokens } };
  }
}
