import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { describe, expect, it } from '@jest/globals';
import { closingMessage, openCalls } from './open-calls';

const asking = (...ids: string[]) =>
  new AIMessage({ content: '', tool_calls: ids.map((id) => ({ id, name: 'tool', args: {} })) });
const result = (id: string) => new ToolMessage({ tool_call_id: id, content: 'ok' });

describe('openCalls', () => {
  it('finds the calls that have no result', () => {
    expect(openCalls([new HumanMessage('x'), asking('a', 'b'), result('a')])).toEqual([
      { callId: 'b', name: 'tool' },
    ]);
  });

  it('finds none in a whole conversation', () => {
    expect(openCalls([new HumanMessage('x'), asking('a'), result('a'), new AIMessage('done')])).toEqual([]);
  });
});

describe('closingMessage', () => {
  it('hands over the stored result where there is one', () => {
    expect(closingMessage({ callId: 'a', name: 'tool' }, 'stored')).toMatchObject({
      tool_call_id: 'a',
      content: 'stored',
    });
  });

  it('says that the outcome is unknown where there is none', () => {
    expect(closingMessage({ callId: 'a', name: 'tool' }, null).content).toContain('may or may not');
  });
});
