import { describe, expect, it } from '@jest/globals';
import { judge, RULES } from './rules';
import { evidence } from './testing/evidence';

describe('the oracle', () => {
  it('finds nothing wrong with chats that went their way', () => {
    expect(judge(evidence({}, [1, 2])).filter(({ breaches }) => breaches.length > 0)).toEqual([]);
  });

  it('has a verdict of each rule', () => {
    expect(judge(evidence()).map(({ rule }) => rule)).toEqual(RULES.map(({ name }) => name));
  });
});
