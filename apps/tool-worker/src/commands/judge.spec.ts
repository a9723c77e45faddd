import { describe, expect, it } from '@jest/globals';
import { judge } from './judge';

describe('judging lines', () => {
  const noA = (line: string) => (line.includes('a') ? 'has an a' : undefined);
  const noB = (line: string) => (line.includes('b') ? 'has a b' : undefined);

  it('blocks a line by the first rule that has a reason and keeps the order of the others', () => {
    expect(judge(['x', 'ab', 'b', 'y'], [noA, noB])).toEqual({
      allowed: ['x', 'y'],
      blocked: [
        { command: 'ab', reason: 'has an a' },
        { command: 'b', reason: 'has a b' },
      ],
    });
  });

  it('sends nothing of more lines than one call may have', () => {
    const { allowed, blocked } = judge(
      Array.from({ length: 1_001 }, () => 'x'),
      [],
    );
    expect(allowed).toEqual([]);
    expect(blocked).toEqual([
      { command: '1001 lines', reason: expect.stringContaining('At most 1000 lines') },
    ]);
  });
});
