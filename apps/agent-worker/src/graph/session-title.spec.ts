import { describe, expect, it } from '@jest/globals';
import { toSessionTitle } from './session-title';

describe('toSessionTitle', () => {
  it('takes a short proposal without its quotation marks and line breaks', () => {
    expect(toSessionTitle('"OSPF on\nR1"', 'x')).toBe('OSPF on R1');
  });

  it('shortens a proposal of more than 40 characters to 38 and three dots', () => {
    expect(toSessionTitle('Mock title for this conversation which is long', 'x')).toBe(
      'Mock title for this conversation which...',
    );
  });

  it.each(['', 'ab', 'New Conversation'])('falls back to the message for %j', (proposed) => {
    expect(toSessionTitle(proposed, '  show   the topology ')).toBe('show the topology');
    expect(toSessionTitle(proposed, 'a'.repeat(40))).toBe(`${'a'.repeat(28)}..`);
  });

  it('is never empty', () => {
    expect(toSessionTitle('', ' ')).toBe('Untitled Session');
  });
});
