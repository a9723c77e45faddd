import type { RunEvent } from '@copilot/contracts';
import { AIMessage } from '@langchain/core/messages';
import { describe, expect, it } from '@jest/globals';
import { ModelTurn } from './model-turn';

function turn(options = { mayCallTools: true }, history: AIMessage[] = []) {
  const events: RunEvent[] = [];
  return { events, turn: new ModelTurn(history, (event) => events.push(event), options) };
}

const fragment = (index: number, id: string | undefined, name: string | undefined, args?: string) =>
  ({ type: 'tool-call', fragment: { index, id, name, args } }) as const;

describe('ModelTurn', () => {
  it('shows text as it comes, byte for byte', () => {
    const { events, turn: it } = turn();
    for (const text of ['\n\n', ' x', 'x\n', '\r']) it.add({ type: 'text', text });
    expect(events.map((event) => (event.type === 'content' ? event.content : ''))).toEqual([
      '\n\n',
      ' x',
      'x\n',
      '\r',
    ]);
    expect(it.finish({ broken: false }).text).toBe('\n\n xx\n\r');
  });

  it('shows a call as the reference does: opened empty, every chunk, then complete', () => {
    const { events, turn: it } = turn();
    it.add(fragment(0, 'call_1', 'tool', ''));
    it.add(fragment(0, undefined, undefined, '{"a"'));
    it.add(fragment(0, undefined, undefined, ':1}'));
    it.finish({ broken: false });
    expect(
      events.map((event) => event.type === 'tool_call' && [event.arguments_delta, event.complete]),
    ).toEqual([
      ['', false],
      ['', false],
      ['{"a"', false],
      [':1}', false],
      ['', true],
    ]);
  });

  it('shows every one of parallel calls as complete', () => {
    const { events, turn: it } = turn();
    it.add(fragment(0, 'a', 'x', '{}'));
    it.add(fragment(1, 'b', 'y', '{}'));
    it.finish({ broken: false });
    expect(
      events.flatMap((event) => (event.type === 'tool_call' && event.complete ? [event.tool_call_id] : [])),
    ).toEqual(['a', 'b']);
  });

  it('shows no call of a broken turn as complete', () => {
    const { events, turn: it } = turn();
    it.add(fragment(0, 'a', 'x', '{"p"'));
    it.finish({ broken: true });
    expect(events.some((event) => event.type === 'tool_call' && event.complete)).toBe(false);
  });

  it('C4: neither shows nor keeps a call that a closing call returns', () => {
    const { events, turn: it } = turn({ mayCallTools: false });
    it.add(fragment(0, 'a', 'x', '{}'));
    expect(it.finish({ broken: false }).calls).toEqual([]);
    expect(events).toEqual([]);
  });

  it('stops an answer that never ends', () => {
    const { turn: it } = turn();
    const endless = () => {
      for (;;) it.add({ type: 'text', text: 'again and again '.repeat(1_000) });
    };
    expect(endless).toThrow('stopped at 1000000 characters');
  });

  it('gives a call whose id the conversation already has a new one, in frames and in the result alike', () => {
    const history = [new AIMessage({ content: '', tool_calls: [{ id: 'call_0', name: 'x', args: {} }] })];
    const { events, turn: it } = turn({ mayCallTools: true }, history);
    it.add(fragment(0, 'call_0', 'x', '{}'));
    const [call] = it.finish({ broken: false }).calls;
    expect(call?.callId).not.toBe('call_0');
    for (const event of events) expect(event).toMatchObject({ tool_call_id: call?.callId });
  });
});
