import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the provider got it. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly {
    readonly function: { readonly name: string; readonly description: string; readonly parameters: unknown };
  }[];
  readonly tool_choice?: unknown;
  readonly temperature?: number;
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

export interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  readonly args: unknown;
}

/** What the model is to answer. */
export interface Turn {
  /** Streamed piece by piece as given. */
  readonly text?: string | readonly string[];
  readonly calls?: readonly ScriptedCall[];
  /** Chunks of our own instead, as JSON after `data: `. */
  readonly chunks?: readonly unknown[];
  readonly finishReason?: string;
  /** An error answer instead of a stream. */
  readonly status?: number;
  readonly error?: string;
  /** Cuts the connection after the pieces, without an end. */
  readonly reset?: boolean;
  /** No usage chunk at all. */
  readonly withoutUsage?: boolean;
  /** What the provider says that the request had; 100 if left out. */
  readonly promptTokens?: number;
  /** Part of them that came from its cache. */
  readonly cachedTokens?: number;
  /** Of the answer; 10 if left out. */
  readonly completionTokens?: number;
  readonly delayMs?: number;
  readonly pieceDelayMs?: number;
}

export type Script = (request: ChatRequest, call: number) => Turn | Promise<Turn>;

/** Requests for a title, a summary or a plan, which have no tools, are answered apart: scripts see the iterations. */
export function isHiddenRequest(request: ChatRequest): boolean {
  return request.tools === undefined && request.messages[0]?.role === 'system';
}

/** The text that only the prompt for summaries has. */
const SUMMARY_TASK = '### What is to be added';
/** The text that only what the planner is asked has. */
const PLANNER_TASK = '### Tools';

/** A server that speaks OpenAI's chat completions protocol and says what a test has written for it. */
export class ScriptedModel {
  readonly requests: ChatRequest[] = [];
  readonly summaryRequests: ChatRequest[] = [];
  readonly planRequests: ChatRequest[] = [];
  /** What the planner of limits is answered. */
  plan: Turn = { text: 'No plan.' };
  titleRequests = 0;
  private script: Script = () => ({ text: 'Hello.' });

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(): Promise<ScriptedModel> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ScriptedModel(server);
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** From now on; what was recorded before is forgotten. */
  play(script: Script | readonly Turn[]): void {
    this.requests.length = 0;
    this.summaryRequests.length = 0;
    this.planRequests.length = 0;
    this.titleRequests = 0;
    this.script =
      typeof script === 'function' ? script : (_request, call) => script[call - 1] ?? { text: 'Done.' };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: Buffer[] = [];
    for await (const part of request) body.push(part as Buffer);
    const asked = JSON.parse(Buffer.concat(body).toString()) as ChatRequest;
    if (isHiddenRequest(asked)) return await this.send(response, this.hidden(asked));
    this.requests.push(asked);
    await this.send(response, await this.script(asked, this.requests.length));
  }

  private hidden(asked: ChatRequest): Turn {
    const task = String(asked.messages.at(-1)?.content);
    if (task.includes(PLANNER_TASK)) {
      this.planRequests.push(asked);
      return this.plan;
    }
    if (!task.includes(SUMMARY_TASK)) {
      this.titleRequests += 1;
      return { text: 'Scripted title' };
    }
    this.summaryRequests.push(asked);
    return { text: `Scripted summary ${this.summaryRequests.length}.` };
  }

  private async send(response: ServerResponse, turn: Turn): Promise<void> {
    if (turn.delayMs) await pause(turn.delayMs);
    if (turn.status !== undefined) {
      response.writeHead(turn.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: turn.error ?? 'scripted error', type: 'scripted' } }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of turn.chunks ?? chunksOf(turn)) {
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      if (turn.pieceDelayMs) await pause(turn.pieceDelayMs);
    }
    if (turn.reset) {
      await pause(20);
      response.destroy();
      return;
    }
    response.end('data: [DONE]\n\n');
  }
}

function* chunksOf(turn: Turn): Generator {
  yield chunk({ role: 'assistant', content: '' });
  for (const text of typeof turn.text === 'string' ? [turn.text] : (turn.text ?? [])) {
    yield chunk({ content: text });
  }
  const calls = turn.calls ?? [];
  for (const [index, call] of calls.entries()) {
    const text = typeof call.args === 'string' ? call.args : JSON.stringify(call.args);
    const cut = Math.ceil(text.length / 2);
    const id = call.id ?? `call_${index}_${Math.random().toString(36).slice(2)}`;
    yield chunk({
      tool_calls: [{ index, id, type: 'function', function: { name: call.name, arguments: '' } }],
    });
    for (const part of [text.slice(0, cut), text.slice(cut)]) {
      yield chunk({ tool_calls: [{ index, function: { arguments: part } }] });
    }
  }
  if (turn.reset) return;
  yield chunk({}, turn.finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop'));
  if (turn.withoutUsage) return;
  const prompt_tokens = turn.promptTokens ?? 100;
  const completion_tokens = turn.completionTokens ?? 10;
  const usage = {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    ...(turn.cachedTokens === undefined
      ? {}
      : { prompt_tokens_details: { cached_tokens: turn.cachedTokens } }),
  };
  yield { ...envelope, choices: [], usage };
}

const envelope = { id: 'chatcmpl-scripted', object: 'chat.completion.chunk', created: 0, model: 'scripted' };

function chunk(delta: unknown, finishReason: string | null = null) {
  return { ...envelope, choices: [{ index: 0, delta, finish_reason: finishReason }] };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
