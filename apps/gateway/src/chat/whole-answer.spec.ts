import { NO_USAGE, type RunEvent } from '@copilot/contracts';
import { describe, expect, it } from '@jest/globals';
import { WholeAnswer } from './whole-answer';

const text = (content: string): RunEvent => ({ type: 'content', content });
const CALL: RunEvent = {
  type: 'tool_call',
  tool_call_id: 'c',
  name: 'ping',
  arguments_delta: '',
  complete: true,
};
const START: RunEvent = { type: 'tool_start', tool_call_id: 'c', tool_name: 'ping' };
const END: RunEvent = { type: 'tool_end', tool_call_id: 'c', tool_name: 'ping', tool_output: 'ok' };
const DONE: RunEvent = { type: 'done', stop_reason: 'completed', usage: NO_USAGE };

function wholeOf(...events: RunEvent[]): WholeAnswer {
  const whole = new WholeAnswer();
  for (const event of events) whole.add(event);
  return whole;
}

describe('WholeAnswer', () => {
  it('is the joined text of the last model call', () => {
    expect(
      wholeOf(text('Let me '), text('see.'), CALL, START, END, text('R1 '), text('is up.'), DONE).answer,
    ).toBe('R1 is up.');
  });

  it('keeps the last text when nothing is said after the last tools', () => {
    expect(wholeOf(text('Trying.'), CALL, START, END, DONE).answer).toBe('Trying.');
  });

  it('drops what a lost attempt had said', () => {
    expect(wholeOf(text('R1 is'), { type: 'attempt', attempt: 2 }, text('R1 is up.'), DONE).answer).toBe(
      'R1 is up.',
    );
  });

  it('has no ending before `done`', () => {
    expect(wholeOf(text('x')).ending).toBeUndefined();
    expect(wholeOf(text('x'), DONE).ending).toEqual({ stopReason: 'completed', usage: NO_USAGE });
  });

  it('has the error of a failed run', () => {
    const whole = wholeOf({ type: 'error', error: 'No GNS3.', code: 'gns3_unreachable' }, DONE);
    expect(whole.error).toEqual({ code: 'gns3_unreachable', message: 'No GNS3.' });
  });
});
