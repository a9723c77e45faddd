import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Failures } from '../failures';
import { parseJson, Routes, type HttpAnswer, type HttpHandler, type HttpRequest } from '../http/http-server';
import { chatRequest, pairingFault, type ChatRequest } from './chat-request';
import { readConversation } from './conversation';
import { plan } from './planner';
import { completion, toReply } from './reply';
import { streamReply } from './stream-reply';

export const MODEL_ID = 'demo-netops';

export interface ModelApiOptions {
  readonly failures: Failures;
  readonly tokenMs: number;
  readonly logger: Logger;
}

/** OpenAI's chat completions protocol with the rule-driven planner behind it. */
export function modelApi(options: ModelApiOptions): HttpHandler {
  const routes = new Routes()
    .on('GET', '/v1/models', () => ({ status: 200, json: { object: 'list', data: [modelJson()] } }))
    .on('GET', '/v1/models/:model', (request) =>
      request.params['model'] === MODEL_ID
        ? { status: 200, json: modelJson() }
        : unknownModel(request.params['model'] ?? ''),
    )
    .on('POST', '/v1/chat/completions', (request, response) => complete(request, response, options));
  return (request, response) => {
    const refusal = refuse(request, options.failures);
    if (refusal) return refusal;
    const found = routes.find(request.method, request.path);
    if (!found) return fault(404, `Invalid URL (${request.method} ${request.path})`, null);
    return found.handler({ ...request, params: found.params }, response);
  };
}

async function complete(
  request: HttpRequest,
  response: ServerResponse,
  { failures, tokenMs, logger }: ModelApiOptions,
): Promise<HttpAnswer | undefined> {
  const parsed = chatRequest.safeParse(parseJson(request.body));
  if (!parsed.success) return fault(400, z.prettifyError(parsed.error), 'invalid_value');
  const { data } = parsed;
  if (data.model !== MODEL_ID) return unknownModel(data.model);
  const refusal = refuseMessages(data, request.body.length, failures);
  if (refusal) return refusal;
  const conversation = readConversation(data);
  const planned = plan(conversation);
  const reply = toReply(planned, data, request.body.length);
  logger.info(
    {
      tools: planned.calls.map((call) => call.tool),
      stage: planned.stage,
      promptTokens: reply.usage.prompt_tokens,
    },
    'model answers',
  );
  if (data.stream !== true) return { status: 200, json: completion(reply, MODEL_ID) };
  await streamReply(response, reply, {
    model: MODEL_ID,
    tokenMs,
    firstMs: failures.number('model-slow-first') ?? 0,
    includeUsage: data.stream_options?.include_usage === true && !failures.takes('model-no-usage'),
    breaks: breakOf(failures),
  });
  return undefined;
}

function refuse(request: HttpRequest, failures: Failures): HttpAnswer | undefined {
  if (!/^Bearer \S+/.test(request.headers.authorization ?? '')) {
    return fault(401, "You didn't provide an API key.", null);
  }
  if (request.method !== 'POST') return undefined;
  if (failures.takes('model-401')) return fault(401, 'Incorrect API key provided.', 'invalid_api_key');
  if (failures.takes('model-429')) {
    const limited = fault(429, 'Rate limit reached for requests', 'rate_limit_exceeded', 'requests');
    return { ...limited, headers: { 'retry-after': '1' } };
  }
  if (failures.takes('model-500')) {
    return fault(500, 'The server had an error while processing your request.', null, 'server_error');
  }
  return undefined;
}

function refuseMessages(
  request: ChatRequest,
  bodyLength: number,
  failures: Failures,
): HttpAnswer | undefined {
  const unpaired = pairingFault(request.messages);
  if (unpaired !== undefined) return fault(400, unpaired, null);
  const limit = failures.number('model-context');
  const tokens = Math.ceil(bodyLength / 4);
  if (limit === undefined || tokens <= limit) return undefined;
  return fault(
    400,
    `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
    'context_length_exceeded',
  );
}

function breakOf(failures: Failures): 'reset' | 'error-frame' | 'stall' | undefined {
  if (failures.takes('model-reset')) return 'reset';
  if (failures.takes('model-error-frame')) return 'error-frame';
  return failures.takes('model-stall') ? 'stall' : undefined;
}

function unknownModel(model: string): HttpAnswer {
  return fault(
    404,
    `The model \`${model}\` does not exist or you do not have access to it.`,
    'model_not_found',
  );
}

function fault(
  status: number,
  message: string,
  code: string | null,
  type = 'invalid_request_error',
): HttpAnswer {
  return { status, json: { error: { message, type, param: null, code } } };
}

function modelJson(): Record<string, unknown> {
  return { id: MODEL_ID, object: 'model', created: 1_764_500_000, owned_by: 'demo' };
}
