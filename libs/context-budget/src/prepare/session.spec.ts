import { describe, expect, it } from '@jest/globals';
import { tokenCounter } from '../counting/token-counter';
import type { HistoryMessage } from '../messages/message';
import { MessageCounter } from '../messages/message-counter';
import { pick, randomFrom, repeat } from '../testing/random';
import { requestFaults } from '../../../../test/fakes/strict-provider';
import { prepareContext } from './prepare-context';

const counter = new MessageCounter(tokenCounter());
const TURNS = 60;
const TOOLS = Array.from({ length: 8 }, (_, index) => ({
  name: `tool_${index}`,
  description: 'Runs show commands on devices of the lab and returns their output.',
  parameters: { type: 'object', properties: { project_id: { type: 'string' }, commands: { type: 'array' } } },
}));

/** A session as it happens: questions, parallel calls, huge outputs, runs that were killed, ids that repeat. */
function* session(seed: number): Generator<HistoryMessage[]> {
  const random = randomFrom(seed);
  const history: HistoryMessage[] = [];
  let nextId = 0;
  const add = (message: HistoryMessage) => history.push({ ...message, id: `m${nextId++}` });
  for (let turn = 0; turn < TURNS; turn++) {
    add({
      role: 'user',
      content: pick(random, ['Why is OSPF down?', '检查路由器接口配置', 'Configure R1 and R2.']),
    });
    for (let exchanges = Math.floor(random() * 4); exchanges > 0; exchanges--) {
      const ids = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, index) => `call_${index}`);
      const lines = random() < 0.05 ? 4_000 : random() * 40;
      yield history;
      add({
        role: 'assistant',
        content: '',
        toolCalls: ids.map((id) => ({ id, name: 'tool_1', arguments: '{"commands":["show run"]}' })),
      });
      for (const toolCallId of ids) {
        const content = repeat(lines, () => `Gi0/${Math.floor(random() * 9)} 10.0.0.1 YES manual up up\n`);
        if (random() > 0.03) add({ role: 'tool', toolCallId, content });
      }
    }
    yield history;
    if (random() > 0.1)
      add({ role: 'assistant', content: 'Done. The adjacency is up again.', toolCalls: [] });
  }
}

describe.each([8, 16, 128])('a session of 60 turns at %i K', (contextLimitK) => {
  it('is accepted by the strict reading of OpenAI, Anthropic and Gemini in every request, within the budget', () => {
    let requests = 0;
    let trimmed = 0;
    for (const messages of session(contextLimitK)) {
      const outcome = prepareContext(
        {
          messages,
          prompt: { template: 'You operate a lab.\n{{topology_info}}' },
          tools: TOOLS,
          config: { model: 'm', contextLimitK, strategy: 'balanced' },
        },
        counter,
      );
      if (!outcome.ok) throw new Error(outcome.error.message);
      expect(requestFaults(outcome.messages)).toEqual([]);
      expect(counter.countMessages(outcome.messages) + counter.countTools(TOOLS)).toBeLessThanOrEqual(
        contextLimitK * 750,
      );
      requests++;
      if (outcome.dropped.length > 0) trimmed++;
    }
    expect(requests).toBeGreaterThan(TURNS);
    expect(trimmed).toBeGreaterThan(0);
  });
});
