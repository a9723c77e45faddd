import { describe, expect, it } from '@jest/globals';
import { AIMessage, HumanMessage, type BaseMessage } from '@langchain/core/messages';
import type { ModelPiece } from '../../models/chat-model';
import { modelRequest } from '../model-request';
import { freshProgress, type AgentStateType, type RollingSummary } from '../state';
import { playedContext } from '../testing/played-context';
import { summarizeLeftOut } from './summarize-left-out.node';

const SETTINGS = { context_overflow: 'summarize' };

/** Turns of about 600 tokens each; some of them fit into 8K, forty do not. */
function turns(count: number): BaseMessage[] {
  return Array.from({ length: count }, (_, turn) => [
    new HumanMessage({ id: `q${turn}`, content: `Question ${turn}?` }),
    new AIMessage({ id: `a${turn}`, content: `Finding ${turn}: ${'the interface is up. '.repeat(120)}` }),
  ]).flat();
}

function stateOf(messages: BaseMessage[], summary: RollingSummary | null = null): AgentStateType {
  return { messages, progress: freshProgress('run'), topology: 'R1', summary, title: null };
}

const says = (text: string): ModelPiece[] => [
  { type: 'text', text },
  { type: 'usage', tokens: { inputTokens: 900, cachedInputTokens: 0, outputTokens: 40 } },
];

const lastText = (messages: readonly BaseMessage[]) => messages.at(-1)?.text ?? '';

describe('summarizeLeftOut', () => {
  it('calls no model while everything fits', async () => {
    const { context, requests } = playedContext(() => says('never'), SETTINGS);
    expect(await summarizeLeftOut(stateOf(turns(2)), context)).toEqual({});
    expect(requests).toHaveLength(0);
  });

  it('folds what is left out into the summary, which stands in the request; its tokens are overhead', async () => {
    const { context, requests } = playedContext(() => says('R1 was fixed.'), SETTINGS);
    const state = stateOf([...turns(40), new HumanMessage({ id: 'now', content: 'And now?' })]);
    const { summary, progress } = await summarizeLeftOut(state, context);
    expect(lastText(requests[0]?.messages ?? [])).toContain('Finding 0:');
    expect(requests[0]?.tools).toEqual([]);
    expect(progress).toMatchObject({
      iterations: 0,
      usage: { llm_calls: 0, input_tokens: 0, overhead: { input_tokens: 900, output_tokens: 40 } },
    });
    const next = { ...state, summary: summary as RollingSummary };
    const { messages, prepared } = await modelRequest(next, context, { closing: null });
    expect(messages[1]?.text).toContain('R1 was fixed.');
    expect(lastText(messages)).toContain('And now?');
    expect(prepared.report.total).toBeLessThanOrEqual(6_000);
    expect(await summarizeLeftOut(next, context)).toEqual({});
  });

  it('adds to the summary only what has fallen out since', async () => {
    const { context, requests } = playedContext((_, call) => says(`Notes ${call}.`), SETTINGS);
    const first = await summarizeLeftOut(stateOf(turns(30)), context);
    await summarizeLeftOut(stateOf(turns(33), first.summary as RollingSummary), context);
    const asked = lastText(requests[1]?.messages ?? []);
    expect(asked).toContain('### Summary so far\n\nNotes 1.');
    expect(asked).not.toContain('Finding 0:');
    expect(asked.match(/Finding \d+:/g)).toHaveLength(3);
  });

  it.each([
    [
      'a failure',
      (): ModelPiece[] => {
        throw new Error('provider is down');
      },
    ],
    ['an empty answer', () => says(' ')],
  ])(
    'after %s keeps the summary that there is, trims, and does not try again in this run',
    async (_, play) => {
      const { context, requests } = playedContext(play, SETTINGS);
      const known = { text: 'Old notes.', upTo: 'a2', failedIn: undefined };
      const { summary } = await summarizeLeftOut(stateOf(turns(40), known), context);
      expect(summary).toEqual({ ...known, failedIn: context.runId });
      const next = stateOf(turns(40), summary as RollingSummary);
      expect(await summarizeLeftOut(next, context)).toEqual({});
      expect(requests).toHaveLength(1);
      const { messages } = await modelRequest(next, context, { closing: null });
      expect(messages[1]?.text).toContain('Old notes.');
      expect(await summarizeLeftOut(next, { ...context, runId: 'the next run' })).not.toEqual({});
    },
  );

  it('bounds a model that writes on and on', async () => {
    const endless = () =>
      Array.from({ length: 10_000 }, () => says('more and more ')[0]).flatMap((p) => p ?? []);
    const { context } = playedContext(endless, SETTINGS);
    const { summary } = await summarizeLeftOut(stateOf(turns(40)), context);
    expect((summary as RollingSummary).text.length).toBeLessThanOrEqual(600 * 6);
  });

  it('leaves the case that does not fit at all to the request itself', async () => {
    const { context, requests } = playedContext(() => says('never'), { ...SETTINGS, context_limit: 1 });
    expect(await summarizeLeftOut(stateOf(turns(3)), context)).toEqual({});
    expect(requests).toHaveLength(0);
  });
});
