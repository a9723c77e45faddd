import { describe, expect, it } from '@jest/globals';
import { Failures, failureSwitch } from './failures';

describe('failure switches', () => {
  it.each([
    'gns3-500',
    'gns3-401-after=3',
    'console-silent=R1',
    'model-500',
    'model-500=2',
    'model-slow-first=200',
  ])('knows %j', (text) => {
    expect(failureSwitch.safeParse(text).success).toBe(true);
  });

  it.each([
    'gns3-501',
    'gns3-500=1',
    'gns3-401-after',
    'console-silent',
    'console-drop=R1',
    'model-500=x',
    '',
  ])('refuses %j by name', (text) => {
    expect(failureSwitch.safeParse(text).error?.issues[0]?.message).toBe(`unknown failure switch: ${text}`);
  });

  it('fails as many requests as it was told, then no more', () => {
    const failures = new Failures(['model-500=2']);
    expect([1, 2, 3].map(() => failures.takes('model-500'))).toEqual([true, true, false]);
  });

  it('fails every request without a number', () => {
    const failures = new Failures(['model-reset']);
    expect(Array.from({ length: 5 }, () => failures.takes('model-reset'))).not.toContain(false);
  });

  it('speaks of the node that is named only', () => {
    const failures = new Failures(['console-refuse=R1']);
    expect([failures.refusesConsole('R1'), failures.refusesConsole('R10')]).toEqual([true, false]);
  });

  it('strikes at lines of the node that start with the text', () => {
    const failures = new Failures(['console-hang=R1:ip address']);
    const strikes = (node: string, line: string): boolean => failures.hangsConsole(node, line);
    expect([
      strikes('R1', 'ip address 1.1.1.1'),
      strikes('R1', 'enable'),
      strikes('R2', 'ip address'),
    ]).toEqual([true, false, false]);
  });

  it('forgets all former switches when set anew', () => {
    const failures = new Failures(['model-500']);
    failures.set([]);
    expect(failures.takes('model-500')).toBe(false);
  });
});
