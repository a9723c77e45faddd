import { describe, expect, it } from '@jest/globals';
import { chatRequest } from './chat-request';
import { toReply } from './reply';
import { chunks } from './stream-reply';
import { z } from 'zod';

const request = (extra: object = {}): z.output<typeof chatRequest> =>
  chatRequest.parse({ model: 'm', messages: [{ role: 'user', content: 'x' }], ...extra });

const twoCalls = {
  text: 'I look at R1 and R2. 好的👍',
  stage: 0,
  calls: ['R1', 'R2'].map((device) => ({
    tool: 'show',
    args: { device_configs: [{ device_name: device, commands: ['show version'] }] },
    devices: [],
  })),
};

const frame = z.object({
  choices: z.array(
    z.object({
      finish_reason: z.string().nullable(),
      delta: z.object({
        content: z.string().nullish(),
        tool_calls: z
          .array(
            z.object({
              index: z.number(),
              id: z.string().optional(),
              function: z.object({ name: z.string().optional(), arguments: z.string() }),
            }),
          )
          .optional(),
      }),
    }),
  ),
  usage: z.object({ total_tokens: z.number() }).nullish(),
});

describe('the stream of a reply', () => {
  const reply = toReply(twoCalls, request(), 400);
  const frames = [...chunks(reply, { model: 'm', includeUsage: true })].map((each) => frame.parse(each));
  const deltas = frames.flatMap((each) => each.choices.map((choice) => choice.delta));

  it('puts text and arguments together again from small parts', () => {
    expect(deltas.map((delta) => delta.content ?? '').join('')).toBe(twoCalls.text);
    const parts = deltas.flatMap((delta) => delta.tool_calls ?? []);
    for (const index of [0, 1]) {
      const text = parts
        .filter((part) => part.index === index)
        .map((part) => part.function.arguments)
        .join('');
      expect(JSON.parse(text)).toEqual(twoCalls.calls[index]?.args);
    }
    expect(parts.length).toBeGreaterThan(6);
  });

  it('gives id and name once, with the first part of each call', () => {
    const named = deltas.flatMap((delta) => delta.tool_calls ?? []).filter((part) => part.id !== undefined);
    expect(named.map((part) => [part.index, part.function.name, part.function.arguments])).toEqual([
      [0, 'show', ''],
      [1, 'show', ''],
    ]);
    expect(new Set(named.map((part) => part.id)).size).toBe(2);
  });

  it('ends with the reason, then a chunk of usage without choices', () => {
    expect(frames.at(-2)?.choices[0]?.finish_reason).toBe('tool_calls');
    expect(frames.at(-1)?.choices).toEqual([]);
    expect(frames.at(-1)?.usage?.total_tokens).toBe(reply.usage.total_tokens);
  });

  it('sends no usage chunk unless asked', () => {
    const plain = [...chunks(reply, { model: 'm', includeUsage: false })].map((each) => frame.parse(each));
    expect(plain.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('stops at the token limit in the middle of the arguments, and says length', () => {
    const cut = toReply(twoCalls, request({ max_tokens: 10 }), 400);
    expect(cut.finish).toBe('length');
    expect(cut.calls).toHaveLength(1);
    expect(() => JSON.parse(cut.calls[0]?.arguments ?? '') as unknown).toThrow();
  });
});
