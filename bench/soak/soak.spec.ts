import { describe, expect, it } from '@jest/globals';
import { FrameCutter, type RawFrame } from './frames';
import { slope, trends } from './report';
import { faultsOf, Seen, verdictOn } from './seen';
import { addFaults, addNoted, newTally, wrongs } from './tally';
import { answerOf, messageOf, type Task, taskOf } from './workload';

const NO_FAULTS = { lost: 0, repeated: 0, outOfOrder: 0, unknown: 0, altered: 0 };
const task: Task = { name: 'c1r1', words: 3, looksFirst: false };

function frame(
  entry: string,
  event: Record<string, unknown> = { type: 'content', content: entry },
): RawFrame {
  const id = `3a597c31-bab6-4ac9-a83b-618eff8e3ec6/${entry}`;
  return { id, text: `id: ${id}\ndata: ${JSON.stringify(event)}` };
}

function seen(...frames: readonly RawFrame[]): Seen {
  const all = new Seen();
  for (const each of frames) all.take(each);
  return all;
}

const whole = () => seen(frame('9-0'), frame('9-1'), frame('10-0'));

describe('the verdict on what a viewer had', () => {
  it('finds nothing when it is the whole run', () => {
    expect(faultsOf(whole(), whole())).toEqual(NO_FAULTS);
  });

  it('counts events that are missing, in the middle and at the end', () => {
    expect(faultsOf(seen(frame('9-1')), whole())).toEqual({ ...NO_FAULTS, lost: 2 });
  });

  it('counts an event that came twice, which is out of order as well', () => {
    const twice = seen(frame('9-0'), frame('9-1'), frame('9-1'), frame('10-0'));
    expect(faultsOf(twice, whole())).toEqual({ ...NO_FAULTS, repeated: 1, outOfOrder: 1 });
  });

  it('counts events in the wrong order, by numbers and not by letters', () => {
    const turned = seen(frame('10-0'), frame('9-0'), frame('9-1'));
    expect(faultsOf(turned, whole())).toEqual({ ...NO_FAULTS, outOfOrder: 1 });
  });

  it('counts events of which the replay knows nothing, also one without an id', () => {
    const more = seen(frame('9-0'), frame('9-1'), frame('10-0'), { id: '', text: 'data: {}' });
    expect(faultsOf(more, whole())).toMatchObject({ lost: 0, unknown: 1 });
  });

  it('sees another text under the right ids', () => {
    const other = seen(frame('9-0'), frame('9-1', { type: 'content', content: 'x' }), frame('10-0'));
    expect(faultsOf(other, whole())).toEqual({ ...NO_FAULTS, altered: 1 });
  });
});

describe('the verdict on a run', () => {
  const done = (stop_reason: string) => frame('99-0', { type: 'done', stop_reason });
  const words = answerOf(task).map((content, index) => frame(`1-${index}`, { type: 'content', content }));

  it('accepts what the model said', () => {
    const verdict = verdictOn([...words, done('completed')], task);
    expect(verdict).toEqual({ repeatedCalls: 0, fault: undefined });
  });

  it('counts a model call that was made again, whose first text is void', () => {
    const again = [...words.slice(0, 2), frame('2-0', { type: 'attempt' }), ...words, done('completed')];
    expect(verdictOn(again, task)).toEqual({ repeatedCalls: 1, fault: undefined });
  });

  it('refuses text that came twice without a new attempt', () => {
    const twice = [...words, ...words, done('completed')];
    expect(verdictOn(twice, task).fault).toMatch('not what the model said');
  });

  it('refuses an answer with a word lost on the way to the log', () => {
    expect(verdictOn([...words.slice(1), done('completed')], task).fault).toMatch('not what the model said');
  });

  it('refuses a run that did not complete, or has no end', () => {
    expect(verdictOn([...words, done('error')], task).fault).toBe('ended with error');
    expect(verdictOn(words, task).fault).toBe('ended with undefined');
  });
});

describe('the frame cutter', () => {
  it('gives the same frames however the text is cut, and leaves comments out', () => {
    const text = ': open\n\nid: 1-0\ndata: {"a":1}\n\n: keep-alive\n\ndata: {"b":2}\n\nid: 2-0\ndata: {';
    const frames = [
      { id: '1-0', text: 'id: 1-0\ndata: {"a":1}' },
      { id: '', text: 'data: {"b":2}' },
    ];
    for (const size of [1, 2, 3, 7, text.length]) {
      const cutter = new FrameCutter();
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, nth) =>
        text.slice(nth * size, (nth + 1) * size),
      );
      expect(pieces.flatMap((piece) => [...cutter.take(piece)])).toEqual(frames);
    }
  });
});

describe('the report', () => {
  it('fits a line with the least squares', () => {
    expect(slope([0, 1, 2, 3], [1, 3, 5, 7])).toBeCloseTo(2);
    expect(slope([0, 1, 2], [0, 3, 0])).toBeCloseTo(0);
    expect(slope([1], [5])).toBe(0);
  });

  it('has the means of the first minute and of the last, and the slope a minute', () => {
    const samples = [0, 30, 60, 90, 120].map((second) => ({
      atMs: 5_000 + second * 1_000,
      figures: { mb: 100 + second },
    }));
    expect(trends(samples)).toEqual([
      { name: 'mb', firstMinute: 130, lastMinute: 190, slopePerMinute: expect.closeTo(60) },
    ]);
  });

  it('calls every fault wrong, and nothing that viewers get over', () => {
    const tally = { ...newTally(), runs: 5, events: 9, resumes: 2, open: 1 };
    expect(wrongs(tally)).toEqual([]);
    addFaults(tally, { ...NO_FAULTS, lost: 2 }, 'run 1');
    addNoted(tally, 'cuts', 'broken');
    addNoted(tally, 'failures', 'failed');
    expect(wrongs(tally)).toEqual(['2 lost', '1 failures']);
    expect(tally.notes).toMatchObject({
      faults: [expect.stringMatching(/^run 1: /)],
      cuts: ['broken'],
      failures: ['failed'],
    });
  });
});

describe('the message of the soak', () => {
  it('tells the model its task', () => {
    expect(taskOf(messageOf(task))).toEqual(task);
    expect(taskOf(messageOf({ ...task, looksFirst: true }))).toEqual({ ...task, looksFirst: true });
    expect(taskOf('Hello.')).toBeUndefined();
  });
});
