import { describe, expect, it } from '@jest/globals';
import { commandsOnce } from './commands-once';
import type { Evidence } from './evidence';
import { call, evidence, LINE } from './testing/evidence';

const received = { node: 'R1', line: LINE };
const result = (entry: Record<string, unknown>) => JSON.stringify([{ device_name: 'R1', ...entry }]);

const breaches = (more: Partial<Evidence>) => commandsOnce.breaches(evidence(more)).join('\n');

describe('each changing command reaches its device at most once, and as its result says', () => {
  it.each<[string, Partial<Evidence>, RegExp]>([
    ['came twice', { commands: [received, received] }, /2 times/],
    [
      'came twice, its outcome unknown',
      { commands: [received, received], calls: [call(1, { status: 'unknown' })] },
      /2 times/,
    ],
    ['never came although its result says success', { commands: [] }, /says success/],
    ['came on another device', { commands: [{ ...received, node: 'R2' }] }, /says success/],
    ['came without a row', { calls: [] }, /no row/],
    [
      'came although it was rejected',
      { calls: [call(1, { status: 'rejected', output: '' })] },
      /is rejected/,
    ],
    ['came although it was skipped', { calls: [call(1, { status: 'skipped', output: '' })] }, /is skipped/],
    [
      'came although its result denies it',
      { calls: [call(1, { output: result({ status: 'failed', error: 'busy' }) })] },
      /denies/,
    ],
    [
      'came although the call failed',
      { calls: [call(1, { status: 'failed', output: 'Error: no lab' })] },
      /does not say so/,
    ],
    ['has a result of another device', { calls: [call(1, { output: '[]' })] }, /does not tell/],
  ])('fails for a line that %s', (_, broken, text) => {
    expect(breaches(broken)).toMatch(text);
  });

  it.each<[string, Partial<Evidence>]>([
    ['unknown, and it came', { calls: [call(1, { status: 'unknown', output: 'Outcome unknown' })] }],
    [
      'unknown, and it did not',
      { commands: [], calls: [call(1, { status: 'unknown', output: 'Outcome unknown' })] },
    ],
    ['skipped, and it did not come', { commands: [], calls: [call(1, { status: 'skipped', output: '' })] }],
    [
      'failed on the device, and it did not come',
      { commands: [], calls: [call(1, { output: result({ status: 'failed' }) })] },
    ],
  ])('takes a line whose call is %s', (_, allowed) => {
    expect(breaches(allowed)).toBe('');
  });
});
