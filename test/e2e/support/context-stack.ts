import { expect } from '@jest/globals';
import {
  contextLearningSchema,
  MessageCounter,
  tokenCounter,
  type ContextLearning,
} from '@copilot/context-budget';
import { checkpointer, connect, threadId, type Connection } from '@copilot/persistence';
import { FakeIos } from '../../../apps/tool-worker/src/consoles/testing/fake-ios';
import { FakeLab, PROJECT_ID } from '../../../apps/tool-worker/src/tools/testing/fake-lab';
import type { ChatRequest, ScriptedCall } from '../../fakes/scripted-model';
import { asBudgetMessage } from '../../fakes/strict-provider';
import { collect, openStream, type Frame, type OpenStream } from './sse-client';
import { post, Stack } from './stack';

const counter = new MessageCounter(tokenCounter());

/** Tokens of all that a recorded request carries, counted anew. */
export function requestTokens({ messages, tools = [] }: ChatRequest): number {
  return (
    counter.countMessages(messages.map(asBudgetMessage)) +
    counter.countTools(tools.map(({ function: tool }) => tool))
  );
}

/** Every text of a request's messages. */
export function textsOf({ messages }: ChatRequest): string[] {
  return messages.map(({ content }) => String(content));
}

/** The service before a lab of one router that prints what a test has written for it. */
export class ContextStack {
  private constructor(
    readonly stack: Stack,
    private readonly lab: FakeLab,
  ) {}

  static async start(answers: Record<string, string>): Promise<ContextStack> {
    const lab = await FakeLab.start([{ name: 'R1', device: new FakeIos({ host: 'R1', answers }) }]);
    return new ContextStack(await Stack.start({ env: { GNS3_URL: lab.url } }), lab);
  }

  get model() {
    return this.stack.model;
  }

  /** The config of the runs from now on. */
  configure(settings: Record<string, unknown>): Promise<string> {
    return this.stack.createModelConfig({ base_url: this.model.baseUrl, model: 'scripted', ...settings });
  }

  open(message: string, session_id: string): Promise<OpenStream> {
    const url = this.stack.chatUrl('/stream', { projectId: PROJECT_ID });
    return openStream(url, post({ message, session_id }));
  }

  async chat(message: string, session_id: string): Promise<Frame[]> {
    const frames = await collect((await this.open(message, session_id)).frames);
    expect(frames.at(-1)?.data.type).toBe('done');
    return frames;
  }

  /** The conversation as it is stored. */
  async storedTexts(sessionId: string): Promise<string[]> {
    return this.withPool(async (pool) => {
      const found = await pool.query<{ id: string }>('SELECT id FROM sessions WHERE session_id = $1', [
        sessionId,
      ]);
      const thread = threadId(Number(found.rows[0]?.id));
      const tuple = await checkpointer(pool).getTuple({ configurable: { thread_id: thread } });
      const messages = tuple?.checkpoint.channel_values.messages as { readonly text: string }[];
      return messages.map(({ text }) => text);
    });
  }

  async learned(configId: string): Promise<ContextLearning> {
    return this.withPool(async (pool) => {
      const { rows } = await pool.query<{ learned: unknown }>(
        'SELECT context_learning AS learned FROM model_configs WHERE config_id = $1',
        [configId],
      );
      return contextLearningSchema.parse(rows[0]?.learned);
    });
  }

  private async withPool<T>(work: (pool: Connection['pool']) => Promise<T>): Promise<T> {
    const { pool } = connect(this.stack.databaseUrl, () => undefined, 2);
    try {
      return await work(pool);
    } finally {
      await pool.end();
    }
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    await this.lab.stop();
  }
}

export function show(id: string, ...commands: string[]): ScriptedCall {
  const device_configs = [{ device_name: 'R1', commands }];
  return { id, name: 'execute_multiple_device_commands', args: { device_configs } };
}
