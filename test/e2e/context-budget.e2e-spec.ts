import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { strict } from '../fakes/strict-provider';
import { ContextStack, requestTokens, show, textsOf } from './support/context-stack';
import { ofType, textOf } from './support/sse-client';
import { post } from './support/stack';

/** 950 KB; the most that one command may print is a little above. */
const HUGE = Array.from({ length: 19_000 }, (_, line) => `interface Gi0/${line} is up, `.padEnd(50, 'x'));
const SPECIALS = 'Welcome <|fim_prefix|> and <|endofprompt|> to R1\r\n';
/** Some 30,000 tokens of Chinese. */
const LONG_TEXT = '配置路由器接口'.repeat(5_000);

let service: ContextStack;

beforeAll(async () => {
  service = await ContextStack.start({
    'show running-config': `${HUGE.join('\r\n')}\r\n`,
    'show tech-support': `${HUGE.join('\r\n')}\r\n`,
    'show banner': SPECIALS,
    'show letters': `${'a'.repeat(100_000)}\r\n`,
    'show nothing': '',
  });
});

afterAll(() => service.stop());

beforeEach(async () => {
  await service.configure({ context_limit: 128 });
});

describe('a result that exceeds the window', () => {
  it('A4, A16: is shortened for the model, can be searched by it, and is stored whole', async () => {
    await service.configure({ context_limit: 16 });
    const big = show('call_big', 'show running-config', 'show tech-support');
    const grep = { tool_call_id: 'call_big', grep: 'Gi0/12345 ' };
    service.model.play((request, call) =>
      call === 1
        ? { calls: [big] }
        : call === 2
          ? { calls: [{ id: 'call_read', name: 'read_tool_output', args: grep }] }
          : { text: `answer to message ${request.messages.length}` },
    );
    const frames = await service.chat('show all', 'big');
    expect(ofType(frames, 'done')[0]).toMatchObject({ stop_reason: 'completed' });
    const [, shortened, read] = service.model.requests;
    const marker = /\[\.\.\. \d+ of \d+ tokens left out; read_tool_output with tool_call_id "call_big"/;
    expect(shortened?.messages.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'call_big' });
    expect(String(shortened?.messages.at(-1)?.content)).toMatch(marker);
    const found = String(read?.messages.at(-1)?.content);
    expect(found.match(/interface Gi0\/12345 is up/g)).toHaveLength(2);
    for (const request of service.model.requests) expect(requestTokens(request)).toBeLessThanOrEqual(12_000);

    for (const message of ['one', 'two', 'three']) await service.chat(message, 'big');
    expect(ofType(await service.chat('four', 'big'), 'error')).toEqual([]);
    const stored = await service.storedTexts('big');
    expect(stored.filter((text) => text.includes('tokens left out'))).toEqual([]);
    expect(Math.max(...stored.map((text) => text.length))).toBeGreaterThan(1_800_000);
  });

  it('of another session is not found', async () => {
    const read = { id: 'call_x', name: 'read_tool_output', args: { tool_call_id: 'call_big' } };
    service.model.play([{ calls: [read] }, { text: 'I cannot.' }]);
    const frames = await service.chat('look there', 'another');
    expect(ofType(frames, 'tool_end')[0]?.tool_output).toContain("no tool call 'call_big' is found");
  });
});

describe('what the provider is sent', () => {
  it('A8: has no empty text: not of an answer with calls alone, not of a command without output', async () => {
    service.model.play(
      strict((_, call) => (call === 1 ? { calls: [show('call_e', 'show nothing')] } : { text: 'Ok.' })),
    );
    expect(textOf(await service.chat('look', 'empty'))).toBe('Ok.');
    expect(String(service.model.requests[1]?.messages.at(-1)?.content)).not.toBe('');
    const response = await fetch(service.stack.chatUrl('/stream'), post({ message: '   ' }));
    expect(response.status).toBe(422);
  });

  it.each([
    ['conservative', 4_800],
    ['balanced', 6_000],
    ['aggressive', 6_800],
  ])('A11: with its tool schemas stays within the budget of %s', async (context_strategy, budget) => {
    await service.configure({ context_limit: 8, context_strategy });
    service.model.play(strict(() => ({ text: 'The interface is up. '.repeat(60) })));
    const session = `a11 ${context_strategy}`;
    for (let turn = 0; turn < 12; turn += 1)
      await service.chat(`question ${turn} ${'and more '.repeat(60)}`, session);
    const sizes = service.model.requests.map(requestTokens);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(budget);
    expect(sizes.at(-1)).toBeGreaterThan(budget - 600);
  });

  it('A11b: is nothing when prompt and tools alone exceed the window: an error with the figures', async () => {
    await service.configure({ context_limit: 1 });
    service.model.play([]);
    const frames = await service.chat('hello', 'a11b');
    expect(service.model.requests).toHaveLength(0);
    const [error] = ofType(frames, 'error');
    expect(error).toMatchObject({ code: 'context_too_large' });
    expect(error?.error).toMatch(
      /system prompt \d+ \+ tools \d{3,} \+ your message \d+ .* smallest context_limit that would do is \d/,
    );
  });

  it('A14: has both of two user messages in a row, in order, as one turn', async () => {
    service.model.play([{ status: 400, error: 'not now' }]);
    expect(ofType(await service.chat('first question', 'a14'), 'error')).toHaveLength(1);
    service.model.play(strict(() => ({ text: 'Both.' })));
    expect(textOf(await service.chat('second question', 'a14'))).toBe('Both.');
    expect(textsOf(service.model.requests[0] ?? { messages: [] }).at(-1)).toBe(
      'first question\n\nsecond question',
    );
  });

  it('A15: is the conversation itself while it fits', async () => {
    service.model.play((_, call) =>
      call === 1 ? { calls: [show('call_b', 'show banner')] } : { text: `answer ${call}` },
    );
    await service.chat('one', 'a15');
    const frames = await service.chat('two', 'a15');
    const [, ...said] = textsOf(service.model.requests.at(-1) ?? { messages: [] });
    expect([...said, 'answer 3']).toEqual(await service.storedTexts('a15'));
    expect(ofType(frames, 'context')[0]).toMatchObject({
      messages_before: 5,
      messages_after: 5,
      shortened_results: 0,
    });
  });

  it('A17: has the same budget on the second turn, and nothing trimmed', async () => {
    service.model.play(() => ({ text: 'Read.' }));
    const events = [await service.chat(LONG_TEXT, 'a17'), await service.chat(LONG_TEXT, 'a17')].map(
      (frames) => ofType(frames, 'context')[0],
    );
    expect(events.map((event) => [event?.limit, event?.output_reserve])).toEqual([
      [128_000, 32_000],
      [128_000, 32_000],
    ]);
    expect(events[1]).toMatchObject({ messages_before: 3, messages_after: 3 });
    expect(
      textsOf(service.model.requests[1] ?? { messages: [] }).filter((text) => text === LONG_TEXT),
    ).toHaveLength(2);
  });

  it('B1: has special-token text as it was written, by the user and by a device', async () => {
    service.model.play([{ calls: [show('call_s', 'show banner')] }, { text: 'Plain text.' }]);
    const frames = await service.chat('what is <|endoftext|>?', 'b1');
    expect(textOf(frames)).toBe('Plain text.');
    const texts = textsOf(service.model.requests[1] ?? { messages: [] });
    expect(texts).toContain('what is <|endoftext|>?');
    expect(texts.at(-1)).toContain(SPECIALS.trim());
  });
});

describe('counting', () => {
  it('B3: of 100,000 equal letters holds up neither its own run nor another session', async () => {
    service.model.play((request) => {
      const last = request.messages.at(-1);
      if (last?.role === 'tool') return { text: 'Many letters.' };
      return last?.content === 'letters' ? { calls: [show('call_l', 'show letters')] } : { text: 'Quick.' };
    });
    const letters = service.chat('letters', 'b3');
    const others = await Promise.all(
      Array.from({ length: 5 }, (_, n) => service.chat(`hello ${n}`, `b3 ${n}`)),
    );
    expect(others.map(textOf)).toEqual(Array.from({ length: 5 }, () => 'Quick.'));
    const frames = await letters;
    expect(textOf(frames)).toBe('Many letters.');
    // A count that blocks the worker would lose the run's lock, and another attempt would begin.
    expect(ofType(frames, 'attempt')).toEqual([]);
    expect(service.model.requests.filter(({ messages }) => messages.at(-1)?.role === 'tool')).toHaveLength(1);
  });
});
