import { describe, expect, it } from '@jest/globals';
import { judgeArguments } from './argument-verdict';

describe('judgeArguments', () => {
  it('takes a JSON object as it is', () => {
    expect(judgeArguments('{"a":[1,2]}')).toEqual({ ok: true, args: { a: [1, 2] } });
  });

  it('F12: takes no text at all as no arguments', () => {
    expect(judgeArguments('')).toEqual({ ok: true, args: {} });
  });

  it.each(['null', '[1,2]', '"{\\"a\\":1}"', '7', 'true'])('F12: refuses %s', (raw) => {
    expect(judgeArguments(raw)).toEqual({
      ok: false,
      fault: expect.stringContaining('must be a JSON object'),
    });
  });

  it.each(['{x: 1', '{"a":1', '{"commands":["ip route 10.0.0.0 255'])('F7, F9: refuses the cut %s', (raw) => {
    expect(judgeArguments(raw)).toEqual({ ok: false, fault: 'the arguments are not valid JSON' });
  });
});
