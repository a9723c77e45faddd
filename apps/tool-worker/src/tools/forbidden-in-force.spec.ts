import { describe, expect, it } from '@jest/globals';
import { DEFAULT_FORBIDDEN, parseForbiddenPatterns } from '../commands/forbidden';
import { forbiddenInForce } from './forbidden-in-force';

const loaded = (forbiddenCommands: string[] | null) => ({ version: 'aa', prompts: {}, forbiddenCommands });
const own = parseForbiddenPatterns('clear ip');
const texts = (...lists: Parameters<typeof forbiddenInForce>) =>
  forbiddenInForce(...lists).map(({ text }) => text);

describe('forbidden commands in force', () => {
  it('are the built-in ones where nobody has said anything', () => {
    expect(forbiddenInForce(null, null)).toBe(DEFAULT_FORBIDDEN);
    expect(forbiddenInForce(null, loaded(null))).toBe(DEFAULT_FORBIDDEN);
  });

  it("are the worker's own in the place of the built-in ones", () => {
    expect(texts(own, null)).toEqual(['clear ip']);
  });

  it('are the loaded ones in the place of the built-in ones, without losing what the worker forbids', () => {
    expect(texts(null, loaded(['write memory']))).toEqual(['write memory']);
    expect(texts(own, loaded(['write memory']))).toEqual(['clear ip', 'write memory']);
  });
});
