import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chaosCounts } from '../lib/chaos-step.mjs';
import { jestCounts } from '../lib/jest-step.mjs';
import { selectSteps, tapCounts } from '../lib/test-steps.mjs';

test('a jest run counts its tests, its broken files, and a bad exit that no test explains', () => {
  const report = (failed, broken) =>
    JSON.stringify({ numPassedTests: 5, numFailedTests: failed, numRuntimeErrorTestSuites: broken });
  assert.deepEqual(jestCounts(0, report(0, 0)), { passed: 5, failed: 0 });
  assert.deepEqual(jestCounts(1, report(2, 1)), { passed: 5, failed: 3 });
  assert.deepEqual(jestCounts(1, report(0, 0)), { passed: 5, failed: 1 });
  assert.deepEqual(jestCounts(1, ''), { passed: 0, failed: 1 });
});

test("a run of Node's own test runner counts failed and cancelled tests", () => {
  assert.deepEqual(tapCounts(1, '# tests 4\n# pass 2\n# fail 1\n# cancelled 1\n'), { passed: 2, failed: 2 });
  assert.deepEqual(tapCounts(1, ''), { passed: 0, failed: 1 });
});

test('a chaos run counts its rules, a missing report, and a bad exit that no rule explains', () => {
  assert.deepEqual(chaosCounts(0, '{"passed":9,"failed":0}'), { passed: 9, failed: 0 });
  assert.deepEqual(chaosCounts(1, '{"passed":8,"failed":1}'), { passed: 8, failed: 1 });
  assert.deepEqual(chaosCounts(1, '{"passed":9,"failed":0}'), { passed: 9, failed: 1 });
  assert.deepEqual(chaosCounts(1, ''), { passed: 0, failed: 1 });
});

test('--only keeps the named steps and what they cannot do without', () => {
  const steps = [
    { name: 'install' },
    { name: 'lint' },
    { name: 'build' },
    { name: 'unit' },
    { name: 'e2e', needsBuild: true },
  ];
  const names = (only) => selectSteps(steps, only).map((step) => step.name);
  assert.deepEqual(names(['unit']), ['install', 'unit']);
  assert.deepEqual(names(['e2e']), ['install', 'build', 'e2e']);
  assert.equal(names(undefined).length, 5);
});
