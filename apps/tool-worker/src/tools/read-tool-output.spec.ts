import { describe, expect, it } from '@jest/globals';
import { TOOL_CATALOGUE } from '@copilot/contracts';
import { MAX_LINE_CHARS, outputLines } from './output-lines';
import { readToolOutput } from './read-tool-output';
import { contextFor, storedCall } from './testing/stored-call';

const device = (output: string) =>
  JSON.stringify([{ device_name: 'R1', status: 'success', output }], null, 2);
const interfaces = Array.from({ length: 4_000 }, (_, line) => `interface Gi0/${line} "up"`).join('\n');

function read(output: string | null, args: { offset?: number; limit?: number; grep?: string } = {}) {
  const parsed = TOOL_CATALOGUE.read_tool_output.args.parse({ tool_call_id: 'call_1', ...args });
  return readToolOutput(parsed, contextFor(storedCall('call_1', output)));
}

/** Texts of the lines in an answer, without the heading and their numbers. */
const linesOf = (answer: string) =>
  answer
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/^\d+: /, ''));

describe('read_tool_output', () => {
  it('pages from the first to the last line, whatever a page holds', async () => {
    const stored = device(interfaces);
    const seen: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const answer: string = await read(stored, { offset, limit: 500 });
      expect(answer.length).toBeLessThan(10_000);
      seen.push(...linesOf(answer));
      const next = /Go on with offset (\d+)\./.exec(answer)?.[1];
      offset = next === undefined ? undefined : Number(next);
    }
    expect(seen).toEqual(outputLines(stored).map(({ text }) => text));
    expect(seen).toContain('interface Gi0/3999 "up""');
  });

  it('says which lines of how many it shows', async () => {
    const answer = await read('a\nb\nc\nd', { offset: 1, limit: 2 });
    expect(answer).toBe('the result of show: lines 2 to 3 of 4. Go on with offset 3.\n2: b\n3: c');
  });

  it('finds plain text in upper or lower case, and pages through the matches', async () => {
    const answer = await read(device(interfaces), { grep: 'GI0/39', limit: 3, offset: 1 });
    expect(linesOf(answer)).toEqual(['390', '391', '392'].map((port) => `interface Gi0/${port} "up"`));
    expect(answer).toContain('lines with "GI0/39" 2 to 4 of 111 (of 4006 lines). Go on with offset 4.');
  });

  it('takes a pattern for plain text: nothing in it can run away', async () => {
    const answer = await read(`x (a+)+$ y\n${'a'.repeat(200_000)}!`, { grep: '(a+)+$' });
    expect(linesOf(answer)).toEqual(['x (a+)+$ y']);
  });

  it('A4: reads and searches an output without a line break', async () => {
    const long = `${'a'.repeat(MAX_LINE_CHARS - 3)}needle${'👩'.repeat(500_000)}`;
    expect((await read(long)).length).toBeLessThan(8_000);
    expect((await read(long, { offset: 1_000 })).isWellFormed()).toBe(true);
    expect(linesOf(await read(long, { grep: 'needle' }))).toHaveLength(1);
  });

  it.each([
    ['nothing matches', { grep: 'OSPF' }, 'No line of the result of show has "OSPF" (2 lines).'],
    [
      'the offset is behind the end',
      { offset: 7 },
      'Nothing is left at offset 7: the result of show has 2 lines.',
    ],
    [
      'the offset is behind the last match',
      { offset: 7, grep: 'up' },
      'Nothing is left at offset 7: the result of show has 1 (of 2 lines) lines with "up".',
    ],
  ])('says so when %s', async (_case, args, answer) => {
    expect(await read('up\ndown', args)).toBe(answer);
  });

  it('shows an empty result as one', async () => {
    expect(await read('')).toContain('lines 1 to 1 of 1. That is all.');
  });

  it('refuses an id that this conversation does not have', async () => {
    const args = TOOL_CATALOGUE.read_tool_output.args.parse({ tool_call_id: 'call_2' });
    const context = contextFor(storedCall('call_1', 'x'));
    await expect(readToolOutput(args, context)).rejects.toThrow(
      "no tool call 'call_2' is found in this conversation",
    );
  });

  it('says that a call has no result yet', async () => {
    await expect(read(null)).rejects.toThrow("the tool call 'call_1' has no result yet");
  });
});
