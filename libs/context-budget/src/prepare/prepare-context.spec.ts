import { describe, expect, it } from '@jest/globals';
import { tokenCounter } from '../counting/token-counter';
import { contentText } from '../messages/message';
import { MessageCounter } from '../messages/message-counter';
import { charCounter } from '../testing/char-counter';
import { answer, user } from '../testing/messages';
import { prepared, request } from '../testing/requests';
import { requestFaults } from '../../../../test/fakes/strict-provider';
import { prepareContext, prepareContextAsync } from './prepare-context';
import { NO_TOPOLOGY } from './system-text';

const counter = charCounter();
const text = (length: number) => 'x'.repeat(length);
const tool = (name: string, length: number) => ({ name, description: text(length), parameters: {} });

describe('prepareContext, the four steps', () => {
  it('works the example of the design: 16K conservative leaves 9,600, 7,738 after tools, 3,738 for history', () => {
    const frameOfTool = counter.countTools([tool('show', 0)]);
    const frameOfSystem = 4;
    const base = {
      tools: [tool('show', 1_862 - frameOfTool)],
      prompt: { template: text(1_000 - frameOfSystem) + '{{topology_info}}', topology: text(3_000) },
    };
    // Eight turns of 464 tokens: 3,712 fit into 3,738. A ninth does not.
    const turns = (count: number) =>
      Array.from({ length: count }, () => [user(text(228)), answer(text(228))]).flat();
    const fits = prepared(request(turns(8), 16, base), counter);
    expect(fits.report).toMatchObject({
      system: 4_000,
      base: 1_000,
      topology: 3_000,
      tools: 1_862,
      history: 3_712,
      total: 9_574,
      limit: 16_000,
    });
    const trimmed = prepared(request(turns(11), 16, base), counter);
    expect(trimmed.report).toMatchObject({ history: 3_712, messagesBefore: 22, messagesAfter: 16 });
    const exact = prepared(request([...turns(7), user(text(245)), answer(text(237))], 16, base), counter);
    expect(exact.report.history).toBe(3_738);
  });

  it('renders a missing topology as the fixed sentence and a strange device name as it is', () => {
    const template = '### CURRENT TOPOLOGY\n{{topology_info}}';
    const [none] = prepared(request([user('hi')], 16, { prompt: { template } }), counter).messages;
    expect(none?.content).toBe(`### CURRENT TOPOLOGY\n${NO_TOPOLOGY}`);
    const [strange] = prepared(
      request([user('hi')], 16, { prompt: { template, topology: "R$&$'1" } }),
      counter,
    ).messages;
    expect(strange?.content).toBe("### CURRENT TOPOLOGY\nR$&$'1");
  });

  it('A11: counts tool schemas, at every strategy, with 1K = 1000', () => {
    const tools = Array.from({ length: 40 }, (_, index) => tool(`tool_${index}`, 330));
    const history = Array.from({ length: 80 }, () => [user(text(200)), answer(text(200))]).flat();
    for (const [strategy, budget] of [
      ['conservative', 19_200],
      ['balanced', 24_000],
      ['aggressive', 27_200],
    ] as const) {
      const outcome = prepared(
        { ...request(history, 32, { tools }), config: { model: 'm', contextLimitK: 32, strategy } },
        counter,
      );
      const total = counter.countMessages(outcome.messages) + counter.countTools(tools);
      expect(total).toBeLessThanOrEqual(budget);
      expect(total).toBeGreaterThan(budget - 500);
      expect(outcome.report.total).toBe(total);
    }
  });

  it('gives the same answer in stretches', async () => {
    const input = request([user('one'), answer(text(9_000)), user('two')], 10);
    const real = new MessageCounter(tokenCounter());
    expect(await prepareContextAsync(input, real, async () => {})).toEqual(prepareContext(input, real));
  });
});

describe('prepareContext, summarize', () => {
  const history = Array.from({ length: 40 }, (_, index) => [
    user(`q${index} ${text(120)}`),
    answer(text(120)),
  ]).flat();

  it('keeps a tenth of the budget for the summary and puts it before the first kept user message', () => {
    const first = prepared(request(history, 16, { overflow: 'summarize' }), counter);
    expect(first.report.total).toBeLessThanOrEqual(9_600 - 960);
    expect(first.dropped.length + first.history.length).toBe(history.length);
    const second = prepared(
      request(history, 16, { overflow: 'summarize', summary: `OSPF was fixed. ${text(4_000)}` }),
      counter,
    );
    expect(second.report.total).toBeLessThanOrEqual(9_600);
    expect(second.dropped).toEqual(first.dropped);
    expect(contentText(second.messages[1]?.content ?? '')).toMatch(
      /^Summary of the earlier part[^]*OSPF was fixed[^]*tokens left out[^]*\n\nq\d+ x/,
    );
    expect(requestFaults(second.messages)).toEqual([]);
  });

  it('does nothing while the whole history fits', () => {
    const short = [user('hi')];
    expect(prepared(request(short, 16, { overflow: 'summarize', summary: 'old' }), counter).history).toBe(
      short,
    );
  });
});
