import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { strict } from '../fakes/strict-provider';
import { ContextStack, requestTokens, show, textsOf } from './support/context-stack';
import { ofType } from './support/sse-client';

const TABLE = Array.from({ length: 60 }, (_, line) => `Gi0/${line} 10.0.0.${line} YES manual up up`).join(
  '\r\n',
);
const OVERFLOW = {
  status: 400,
  error:
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
};

let service: ContextStack;

beforeAll(async () => {
  service = await ContextStack.start({
    'show ip interface brief': `${TABLE}\r\n`,
    'show clock': '12:00\r\n',
  });
});

afterAll(() => service.stop());

const interfaces = (id: string) => show(id, 'show ip interface brief');
const lastRole = (messages: readonly { readonly role: string }[]) => messages.at(-1)?.role;

describe('a long session in a small window', () => {
  it('A1, A5: is accepted by the strictest provider in every request of 20 turns at 8K', async () => {
    await service.configure({ context_limit: 8 });
    service.model.play(
      strict(({ messages }, call) =>
        lastRole(messages) === 'tool'
          ? { text: 'The interfaces are up.' }
          : { calls: ['a', 'b', 'c'].map((id) => interfaces(`call_${id}${call}`)) },
      ),
    );
    const ends: unknown[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      const frames = await service.chat(`question ${turn}`, 'long');
      ends.push(ofType(frames, 'done')[0]?.stop_reason);
    }
    expect(ends).toEqual(Array.from({ length: 20 }, () => 'completed'));
    const { requests } = service.model;
    expect(requests).toHaveLength(40);
    expect(Math.max(...requests.map(requestTokens))).toBeLessThanOrEqual(6_000);
    // It was in need of trimming: of 20 turns with eight messages each, few are left.
    expect(requests.at(-1)?.messages.length).toBeLessThan(40);
  });

  it('is kept as a summary on demand: what falls out is folded in once, its tokens are overhead', async () => {
    await service.configure({ context_limit: 8, context_overflow: 'summarize' });
    service.model.play(strict(() => ({ text: `Noted. ${'The interface is up. '.repeat(100)}` })));
    const dones = [];
    for (let turn = 0; turn < 12; turn += 1) {
      dones.push(ofType(await service.chat(`fact ${turn}`, 'summarised'), 'done')[0]);
    }
    const { requests, summaryRequests } = service.model;
    expect(summaryRequests.length).toBeGreaterThan(1);
    const [first, second] = summaryRequests.map((request) => textsOf(request).at(-1) ?? '');
    expect(first).toContain('User: fact 0');
    expect(second).toContain('### Summary so far\n\nScripted summary 1.');
    expect(second).not.toContain('User: fact 0');
    expect(textsOf(requests.at(-1) ?? { messages: [] })[1]).toContain(
      `Scripted summary ${summaryRequests.length}.`,
    );
    expect(dones.at(-1)).toMatchObject({
      stop_reason: 'completed',
      usage: { llm_calls: 1, input_tokens: 100, overhead: { input_tokens: 100, output_tokens: 10 } },
    });
    expect(Math.max(...requests.map(requestTokens))).toBeLessThanOrEqual(6_000);
  });
});

describe('a provider that counts otherwise', () => {
  it('that still finds the request too long gets it once more, cut by a fifth, and that is remembered', async () => {
    const configId = await service.configure({ context_limit: 8 });
    service.model.play(() => ({ text: 'The interface is up. '.repeat(100), withoutUsage: true }));
    for (let turn = 0; turn < 10; turn += 1) await service.chat(`question ${turn}`, 'overflow');
    service.model.play([OVERFLOW, { text: 'Now it fits.', withoutUsage: true }]);
    const frames = await service.chat('one more', 'overflow');
    expect(ofType(frames, 'done')[0]).toMatchObject({ stop_reason: 'completed', usage: { llm_calls: 1 } });
    const [refused, sent] = service.model.requests.map(requestTokens);
    expect(refused).toBeGreaterThan(4_800);
    expect(sent).toBeLessThanOrEqual(4_800);
    expect(await service.learned(configId)).toEqual({ ratio: 1, observations: 0, budgetFactor: 0.8 });
    service.model.play([{ text: 'Still.', withoutUsage: true }]);
    await service.chat('and again', 'overflow');
    expect(service.model.requests.map(requestTokens)[0]).toBeLessThanOrEqual(4_800);
  });

  it('that refuses the second try too ends the run with its own words', async () => {
    await service.configure({ context_limit: 8 });
    service.model.play(() => OVERFLOW);
    const frames = await service.chat('hello', 'refused twice');
    expect(service.model.requests).toHaveLength(2);
    expect(ofType(frames, 'error')[0]?.error).toContain('maximum context length');
  });

  it('is learned: within 3 % after five calls, and its requests are fitted with the ratio', async () => {
    const configId = await service.configure({ context_limit: 8 });
    const providers: number[] = [];
    service.model.play((request) => {
      const promptTokens = Math.round(requestTokens(request) * 1.3);
      providers.push(promptTokens);
      return { text: `检查完成。 ${'接口已启用。'.repeat(150)}`, promptTokens };
    });
    const turns = async (from: number, to: number) => {
      for (let turn = from; turn < to; turn += 1) await service.chat(`检查路由器接口 ${turn}`, 'learned');
    };
    await turns(0, 5);
    const { ratio } = await service.learned(configId);
    const fifth = service.model.requests.at(-1);
    const estimate = requestTokens(fifth ?? { messages: [] }) * ratio;
    expect(Math.abs(estimate / (providers.at(-1) ?? 0) - 1)).toBeLessThan(0.03);
    await turns(5, 10);
    expect(await service.learned(configId)).toMatchObject({ observations: 10, budgetFactor: 1 });
    // In the provider's own tokens, from the fourth request on.
    expect(Math.max(...providers.slice(3))).toBeLessThanOrEqual(6_000 * 1.01);
    expect(Math.max(...providers)).toBeGreaterThan(5_000);
  });
});
