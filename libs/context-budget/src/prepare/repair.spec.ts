import { describe, expect, it } from '@jest/globals';
import { answer, call, calls, result, user } from '../testing/messages';
import { requestFaults } from '../../../../test/fakes/strict-provider';
import { EMPTY_MESSAGE, EMPTY_RESULT } from './blank-texts';
import { MISSING_RESULT } from './pair-calls';
import { joinUsers, repairHistory } from './repair';

const go = user('go');

describe('repairHistory', () => {
  it('returns a sound history as the same array', () => {
    const history = [go, calls('a', 'b'), result('b'), result('a'), answer('done')];
    expect(repairHistory(history)).toBe(history);
  });

  it('answers a call that a killed run left open', () => {
    expect(repairHistory([go, calls('a', 'b'), result('a'), user('next')])).toEqual([
      go,
      calls('a', 'b'),
      result('a'),
      { role: 'tool', toolCallId: 'b', name: 'show', content: MISSING_RESULT },
      user('next'),
    ]);
  });

  it('drops a result without a call', () => {
    expect(repairHistory([go, result('z'), answer('x')])).toEqual([go, answer('x')]);
  });

  it('moves a late result behind its call', () => {
    expect(repairHistory([go, calls('a'), user('next'), result('a', 'late')])).toEqual([
      go,
      calls('a'),
      result('a', 'late'),
      user('next'),
    ]);
  });

  it('makes repeated and missing ids unique in pairs', () => {
    const history = [
      go,
      calls('c'),
      result('c', '1'),
      calls('c', 'c', ''),
      result('c', '2'),
      result('c', '3'),
      result('', '4'),
    ];
    const repaired = repairHistory(history);
    expect(repaired).toEqual([
      go,
      calls('c'),
      result('c', '1'),
      { ...calls('c'), toolCalls: [call('c_2'), call('c_3'), call('call_1')] },
      result('c_2', '2'),
      result('c_3', '3'),
      result('call_1', '4'),
    ]);
  });

  it('gives a result that lost its id to the next open call', () => {
    expect(repairHistory([go, calls('a', 'b'), result('', '1'), result('b', '2')])).toEqual([
      go,
      calls('a', 'b'),
      result('a', '1'),
      result('b', '2'),
    ]);
  });

  it('A8: no empty text is left, and a message with calls needs none', () => {
    const blank = { type: 'text', text: ' ' } as const;
    const shown = { type: 'text', text: 'shown' } as const;
    expect(
      repairHistory([
        user('   '),
        { ...calls('a'), content: [blank] },
        result('a', ''),
        answer(''),
        user([blank, shown]),
      ]),
    ).toEqual([
      user(EMPTY_MESSAGE),
      calls('a'),
      result('a', EMPTY_RESULT),
      answer(EMPTY_MESSAGE),
      user([shown]),
    ]);
  });

  it('joins answers that follow one another', () => {
    expect(repairHistory([go, answer('one'), { ...calls('a'), content: 'two' }, result('a')])).toEqual([
      go,
      { ...calls('a'), content: 'one\n\ntwo' },
      result('a'),
    ]);
  });

  it('begins with a user message', () => {
    expect(repairHistory([answer('hello'), go])).toEqual([go]);
    expect(repairHistory([answer('hello')])).toEqual([]);
  });
});

describe('joinUsers', () => {
  it('joins texts and blocks in order', () => {
    const picture = { type: 'image', data: 'x' };
    expect(joinUsers([user('a'), user([picture]), user('b')])).toEqual([
      user([{ type: 'text', text: 'a' }, picture, { type: 'text', text: 'b' }]),
    ]);
  });
});

describe('requestFaults', () => {
  it('sees each kind of damage', () => {
    const s = { role: 'system', content: 'S' } as const;
    for (const damaged of [
      [go],
      [s, answer('x')],
      [s, go, s],
      [s, go, user('b')],
      [s, go, calls('a')],
      [s, go, result('a')],
      [s, go, calls('a', 'a'), result('a'), result('a')],
      [s, go, answer('')],
      [s, go, answer('a'), answer('b')],
      [s, go, calls('a'), answer('b')],
      [s, user([{ type: 'text', text: '' }])],
    ]) {
      expect(requestFaults(damaged)).not.toEqual([]);
    }
    expect(requestFaults([s, go, calls('a'), result('a'), answer('b')])).toEqual([]);
  });
});
