import { describe, expect, it } from '@jest/globals';
import { bearerToken } from './bearer-token';

describe('bearerToken', () => {
  it.each([
    ['the header', 'Bearer abc', undefined, 'abc'],
    ['the header, however it is written', 'bearer  abc', undefined, 'abc'],
    ['the header before the query', 'Bearer abc', 'other', 'abc'],
    ['the query', undefined, 'abc', 'abc'],
  ])('is taken from %s', (_where, authorization, token, expected) => {
    expect(bearerToken({ headers: { authorization }, query: { token } })).toBe(expected);
  });

  it.each([
    ['nothing', undefined, undefined],
    ['Basic', 'Basic YTpi', undefined],
    ['a Basic header, whatever the query says', 'Basic YTpi', 'abc'],
    ['an empty query', undefined, ''],
    ['several in the query', undefined, ['a', 'b']],
    ['a header with more than one word', 'Bearer a b', undefined],
  ])('is not there for %s', (_what, authorization, token) => {
    expect(bearerToken({ headers: { authorization }, query: { token } })).toBeUndefined();
  });
});
