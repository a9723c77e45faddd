import { describe, expect, it } from '@jest/globals';
import { lanesOf } from './lanes';

describe('lanesOf', () => {
  it('begins as many calls at once as there are lanes and keeps the order in each', () => {
    expect(lanesOf([1, 2, 3, 4, 5], 2)).toEqual([
      [1, 3, 5],
      [2, 4],
    ]);
  });

  it('makes one lane of all calls for a width of 1', () => {
    expect(lanesOf([1, 2, 3], 1)).toEqual([[1, 2, 3]]);
  });

  it('makes no empty lanes', () => {
    expect(lanesOf([1], 5)).toEqual([[1]]);
  });
});
