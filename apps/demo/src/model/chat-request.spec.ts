import { describe, expect, it } from '@jest/globals';
import { chatRequest, pairingFault, type ChatMessage } from './chat-request';

const call = (id: string): unknown => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });
const messages = (list: readonly unknown[]): readonly ChatMessage[] =>
  chatRequest.parse({ model: 'm', messages: list }).messages;

describe('pairingFault', () => {
  it('accepts calls that are answered right after, in any order', () => {
    const list = messages([
      { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] },
      { role: 'tool', tool_call_id: 'b', content: '' },
      { role: 'tool', tool_call_id: 'a', content: '' },
      { role: 'user', content: 'go on' },
    ]);
    expect(pairingFault(list)).toBeUndefined();
  });

  it('names the calls that are left unanswered', () => {
    const list = messages([
      { role: 'assistant', content: '', tool_calls: [call('a'), call('b')] },
      { role: 'tool', tool_call_id: 'a', content: '' },
      { role: 'user', content: 'go on' },
    ]);
    expect(pairingFault(list)).toMatch(/did not have response messages: b$/);
    expect(pairingFault(list.slice(0, 2))).toMatch(/: b$/);
  });

  it('refuses an answer to a call that was not made, or was answered before', () => {
    const answer = { role: 'tool', tool_call_id: 'a', content: '' };
    expect(pairingFault(messages([{ role: 'user', content: 'x' }, answer]))).toContain('messages.[1].role');
    const twice = [{ role: 'assistant', content: '', tool_calls: [call('a')] }, answer, answer];
    expect(pairingFault(messages(twice))).toContain('messages.[2].role');
  });
});

describe('chatRequest', () => {
  it('joins the text parts of a content list', () => {
    const [first] = messages([
      {
        role: 'user',
        content: [{ type: 'text', text: 'a' }, { type: 'image_url' }, { type: 'text', text: 'b' }],
      },
    ]);
    expect(first?.content).toBe('ab');
  });
});
