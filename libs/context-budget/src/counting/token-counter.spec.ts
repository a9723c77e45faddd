import { describe, expect, it, jest } from '@jest/globals';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { corpus, hostileTexts } from '../testing/texts';
import { tokenCounter } from './token-counter';

const counter = tokenCounter('cl100k_base');

describe('TokenCounter', () => {
  it.each([
    ['hello world', 2],
    ['这是一个测试', 4],
    ['你好，世界', 6],
    ['配置路由器接口', 6],
  ])('B7: counts %j as %i', (text, tokens) => {
    expect(counter.count(text)).toBe(tokens);
  });

  it.each([
    ['👨‍👩‍👧‍👦🔥', 21],
    ['\x1b[31mred\x1b[0m', 7],
    ['R1#\r\nR1#\r\n', 6],
  ])('B8: counts %j as %i', (text, tokens) => {
    expect(counter.count(text)).toBe(tokens);
  });

  it('B1: takes the text of special tokens in input and in a banner without error', () => {
    expect(counter.count('what is <|endoftext|>')).toBeGreaterThan(3);
    expect(counter.count('banner motd ^ <|fim_prefix|> <|endofprompt|> ^')).toBeGreaterThan(10);
  });

  it('B2: counts a special token as the plain text it is', () => {
    expect(counter.count('a <|endoftext|> b')).toBe(8);
  });

  it('B6: counts lone surrogates and NUL', () => {
    expect(counter.count('a\ud83dz')).toBe(3);
    expect(counter.count('\0'.repeat(100))).toBeGreaterThan(0);
  });

  it('counts nothing as 0', () => {
    expect(counter.count('')).toBe(0);
  });

  it('B9: builds an encoder once a process', () => {
    expect(tokenCounter('cl100k_base')).toBe(counter);
    expect(tokenCounter()).toBe(counter);
    expect(tokenCounter('o200k_base').encoding).toBe('o200k_base');
  });

  it.each(['a', '^'])('B3, B10: counts a million times %j in many short stretches', async (character) => {
    const yieldNow = jest.fn(async () => {});
    const text = character.repeat(1_000_000);
    expect(await counter.countAsync(text, yieldNow)).toBe(text.length / (character === 'a' ? 8 : 4));
    expect(yieldNow.mock.calls.length).toBeGreaterThan(1_000);
  });

  it('gives the event loop back every 32,768 characters of ordinary text', async () => {
    const yieldNow = jest.fn(async () => {});
    const text = 'show ip interface brief\n'.repeat(10_000);
    expect(await counter.countAsync(text, yieldNow)).toBe(counter.count(text));
    expect(yieldNow).toHaveBeenCalledTimes(Math.floor(text.length / 32_768));
  });

  it('keeps counts that run at the same time apart', async () => {
    const texts = ['ab'.repeat(4_000), '测试'.repeat(3_000), 'show run\n'.repeat(9_000)];
    const together = await Promise.all(texts.map((text) => counter.countAsync(text, async () => {})));
    expect(together).toEqual(texts.map((text) => counter.count(text)));
  });
});

describe.each([
  ['cl100k_base', cl100k],
  ['o200k_base', o200k],
] as const)('%s', (encoding, ranks) => {
  const own = tokenCounter(encoding);
  const reference = new Tiktoken(ranks);
  const countReference = (text: string) => reference.encode(text, [], []).length;

  it('counts 2,250 texts of every kind exactly as js-tiktoken', () => {
    const different = [...corpus(2_250, 11)].filter((text) => own.count(text) !== countReference(text));
    expect(different).toEqual([]);
  });

  it('counts hostile text exactly as js-tiktoken: never below, never above', () => {
    for (const chars of [40, 150]) {
      for (const text of hostileTexts(chars, chars))
        expect([text, own.count(text)]).toEqual([text, countReference(text)]);
    }
  });
});
