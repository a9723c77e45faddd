import { describe, expect, it } from '@jest/globals';
import type { Leftovers } from './evidence';
import { historiesValid } from './histories-valid';
import { nothingLeft } from './nothing-left';
import { evidence, NOTHING_LEFT } from './testing/evidence';

describe('nothing is left behind', () => {
  it.each<[keyof Leftovers, Leftovers[keyof Leftovers], RegExp]>([
    ['unfinishedRuns', ['r'], /1 unfinished runs: r/],
    ['claimedRuns', ['r'], /claimed/],
    ['openCalls', ['c'], /without a result/],
    ['callerTokens', 1, /tokens/],
    ['sessionsWithOldCheckpoints', 1, /checkpoint/],
    ['openTransactions', 1, /transactions/],
    ['jobs', ['runs wait: 1', 'b', 'c', 'd', 'e', 'f'], /6 jobs: runs wait: 1, .*\.\.\./],
    ['keysWithoutExpiry', ['k'], /expiry/],
    ['subscriptions', ['s'], /subscriptions/],
    ['extraConnections', 2, /2 connections/],
  ])('fails for %s', (what, value, text) => {
    expect(nothingLeft.breaches(evidence({ left: { ...NOTHING_LEFT, [what]: value } })).join()).toMatch(text);
  });
});

describe('every history is accepted', () => {
  it('fails for one that the provider refused', () => {
    const model = { faults: ['chat 1: calls without a result: a'], asked: [], lastWords: new Map() };
    expect(historiesValid.breaches(evidence({ model }))).toEqual(model.faults);
  });
});
