import { describe, expect, it } from '@jest/globals';
import { ToolCallAssembler, type ToolCallFragment } from './tool-call-assembler';

function assembled(fragments: readonly ToolCallFragment[], usedIds: readonly string[] = []) {
  const assembler = new ToolCallAssembler(usedIds);
  for (const fragment of fragments) assembler.add(fragment);
  return assembler.finish();
}

describe('ToolCallAssembler', () => {
  it('puts interleaved fragments together by index', () => {
    expect(
      assembled([
        { index: 0, id: 'a', name: 'x', args: '' },
        { index: 1, id: 'b', name: 'y', args: '' },
        { index: 0, args: '{"p":' },
        { index: 1, args: '{"q":' },
        { index: 0, args: '1}' },
        { index: 1, args: '2}' },
      ]),
    ).toEqual([
      { callId: 'a', name: 'x', rawArguments: '{"p":1}' },
      { callId: 'b', name: 'y', rawArguments: '{"q":2}' },
    ]);
  });

  it('F1: parallel calls that all use index 0 keep their own arguments', () => {
    expect(
      assembled([
        { index: 0, id: 'a', name: 'x', args: '{"p":' },
        { index: 0, args: '1}' },
        { index: 0, id: 'b', name: 'y', args: '{"q":' },
        { index: 0, args: '2}' },
      ]),
    ).toEqual([
      { callId: 'a', name: 'x', rawArguments: '{"p":1}' },
      { callId: 'b', name: 'y', rawArguments: '{"q":2}' },
    ]);
  });

  it('F1: fragments of one index that repeat their id go to their own call', () => {
    expect(
      assembled([
        { index: 0, id: 'a', name: 'x', args: '{"p":' },
        { index: 0, id: 'b', name: 'y', args: '{"q":' },
        { index: 0, id: 'a', args: '1}' },
        { index: 0, id: 'b', args: '2}' },
      ]).map(({ rawArguments }) => rawArguments),
    ).toEqual(['{"p":1}', '{"q":2}']);
  });

  it('F1: fragments that cannot be told apart give no call with empty or foreign valid arguments', () => {
    const calls = assembled([
      { index: 0, id: 'a', name: 'x', args: '{"p":' },
      { index: 0, id: 'b', name: 'y', args: '{"q":' },
      { index: 0, args: '1}' },
      { index: 0, args: '2}' },
    ]);
    for (const { rawArguments } of calls) expect(() => void JSON.parse(rawArguments)).toThrow();
  });

  it('F2: a continuation without an index belongs to the newest call', () => {
    expect(assembled([{ id: 'a', name: 'x', args: '{"p"' }, { args: ':1}' }])).toEqual([
      { callId: 'a', name: 'x', rawArguments: '{"p":1}' },
    ]);
  });

  it('F3: placeholder ids and names in continuations are not ids and names', () => {
    expect(
      assembled([
        { index: 0, id: 'a', name: 'x', args: '{"p"' },
        { index: 0, id: 'null', name: null, args: ':1}' },
        { index: 0, id: '', name: '', args: '' },
      ]),
    ).toEqual([{ callId: 'a', name: 'x', rawArguments: '{"p":1}' }]);
  });

  it('F10: two calls that share an id get ids of their own', () => {
    const calls = assembled([
      { index: 0, id: 'call_0', name: 'x', args: '{}' },
      { index: 1, id: 'call_0', name: 'y', args: '{}' },
    ]);
    expect(calls.map(({ name }) => name)).toEqual(['x', 'y']);
    expect(new Set(calls.map(({ callId }) => callId)).size).toBe(2);
    expect(calls[0]?.callId).toBe('call_0');
  });

  it('F10: an id that the conversation already has is replaced', () => {
    expect(assembled([{ index: 0, id: 'call_0', name: 'x', args: '{}' }], ['call_0'])[0]?.callId).toMatch(
      /^call_[0-9a-f-]{36}$/,
    );
  });

  it.each(['a b', 'x'.repeat(201), '\0', '\ud83d'])('replaces the id %j, which could not be stored', (id) => {
    expect(assembled([{ index: 0, id, name: 'x', args: '{}' }])[0]?.callId).toMatch(/^call_[0-9a-f-]{36}$/);
  });

  it('F11: a call without an id gets one', () => {
    expect(assembled([{ index: 0, name: 'x', args: '{}' }])[0]?.callId).toMatch(/^call_[0-9a-f-]{36}$/);
  });
});
