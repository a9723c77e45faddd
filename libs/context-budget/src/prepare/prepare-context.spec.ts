import { describe, expect, it } from '@jest/globals';
import { tokenCounter } from '../counting/token-counter';
import { contentText } from '../messages/message';
import { MessageCounter, TokenCountError } from '../messages/message-counter';
import { MEDIA_TOKENS } from '../messages/message-texts';
import { charCounter } from '../testing/char-counter';
import { answer, call, calls, result, system, user } from '../testing/messages';
import { prepared, request } from '../testing/requests';
import { requestFaults } from '../testing/strict-validator';
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

describe('prepareContext, what is kept', () => {
  it('A1: never keeps a result without its call, and starts with the user', () => {
    const history = [
      user('one'),
      calls('a', 'b'),
      result('a', text(400)),
      result('b', text(400)),
      answer('done'),
      user('two'),
      calls('c'),
      result('c'),
    ];
    for (let template = 200; template < 600; template += 10) {
      const { messages } = prepared(request(history, 1, { prompt: { template: text(template) } }), counter);
      expect(requestFaults(messages)).toEqual([]);
      expect(messages.findLast((message) => message.role === 'user')?.content).toBe('two');
    }
  });

  it('A4: shortens one result that alone exceeds the window, in the newest turn and three turns back', () => {
    const huge = `${text(10)}\n`.repeat(170_000);
    const older = [user('0'), calls('h'), result('h', huge), answer('ok')];
    const turn = (id: string) => [user(id), calls(id), result(id), answer('ok')];
    for (const history of [
      [user('show run'), calls('h'), result('h', huge)],
      [...older, ...turn('1'), ...turn('2'), user('3')],
    ]) {
      const { messages, report } = prepared(request(history, 16), counter);
      const shortened = messages.find((message) => message.role === 'tool' && message.toolCallId === 'h');
      expect(shortened?.content).toMatch(/\n\[\.\.\. 186\d{4} of 1870000 tokens left out \.\.\.]\n/);
      expect(report.shortenedResults).toBe(1);
      expect(report.messagesAfter).toBe(history.length);
      expect(requestFaults(messages)).toEqual([]);
    }
  });

  it('shortens a result above 2,000 tokens or a quarter of the message budget, whichever is more', () => {
    const history = [user('go'), calls('a'), result('a', text(9_000))];
    const kept = (contextLimitK: number) =>
      prepared(request(history, contextLimitK), counter).messages.at(-1);
    const sizeAt = (contextLimitK: number) => contentText(kept(contextLimitK)?.content ?? '').length;
    expect(sizeAt(8)).toBeLessThanOrEqual(2_000);
    expect(sizeAt(8)).toBeGreaterThan(1_900);
    expect(sizeAt(15)).toBeLessThanOrEqual(2_250);
    expect(sizeAt(15)).toBeGreaterThan(2_150);
  });

  it('shortens the newest exchange further rather than lose it, since the model would repeat it', () => {
    const history = [
      user('go'),
      calls('a', 'b', 'c'),
      ...['a', 'b', 'c'].map((id) => result(id, text(3_000))),
    ];
    const { messages } = prepared(request(history, 6), counter);
    expect(messages).toHaveLength(6);
    expect(requestFaults(messages)).toEqual([]);
  });

  it('A5: keeps a parallel group whole or drops it whole', () => {
    const history = [
      user('old'),
      calls('a', 'b', 'c'),
      result('a', text(150)),
      result('b', text(150)),
      result('c', text(150)),
      answer('x'),
      user('new'),
    ];
    const sizes = new Set<number>();
    for (let template = 0; template < 590; template += 10) {
      const { messages } = prepared(request(history, 1, { prompt: { template: text(template) } }), counter);
      sizes.add(messages.filter((message) => message.role === 'tool').length);
    }
    expect([...sizes].sort()).toEqual([0, 3]);
  });

  it('A7: a trimmed history begins with a user message even inside a long turn', () => {
    const exchanges = Array.from({ length: 9 }, (_, index) => [
      calls(`c${index}`),
      result(`c${index}`, text(200)),
    ]).flat();
    const { messages } = prepared(request([user('go'), ...exchanges], 2), counter);
    expect(messages.length).toBeLessThan(exchanges.length);
    expect(messages[1]?.content).toBe('go');
    expect(requestFaults(messages)).toEqual([]);
  });

  it('A9, A10: counts call arguments and shortens them to valid JSON with id and name', () => {
    const config = JSON.stringify({
      project_id: 'p',
      device_configs: [
        {
          device_name: 'R1',
          config_commands: Array.from({ length: 8_000 }, (_, line) => `ip route 10.0.${line}.0`),
        },
      ],
    });
    const { messages, report } = prepared(
      request([user('go'), calls(call('a', config)), result('a')], 16),
      counter,
    );
    expect(report.total).toBeLessThanOrEqual(9_600);
    const shortened = messages[2];
    if (shortened?.role !== 'assistant') throw new Error('the exchange was dropped');
    expect(shortened.toolCalls[0]).toMatchObject({ id: 'a', name: 'show' });
    expect(JSON.parse(shortened.toolCalls[0]?.arguments ?? '')).toMatchObject({
      project_id: 'p',
      device_configs: [{ device_name: 'R1' }],
    });
    expect(shortened.toolCalls[0]?.arguments).toContain('tokens left out');
  });

  it('A12: an image costs a fixed number, its base64 text nothing', () => {
    const picture = user([
      { type: 'text', text: 'what is this?' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${text(400_000)}` } },
    ]);
    const turns = Array.from({ length: 10 }, () => [user('q'), answer('a')]).flat();
    const outcome = prepared(request([...turns, picture], 8), counter);
    expect(outcome.messages).toHaveLength(22);
    expect(counter.countMessage(picture)).toBe(4 + 13 + MEDIA_TOKENS);
  });

  it('A13: folds system texts from the middle into the one system message', () => {
    const { messages } = prepared(
      request([system('S1'), user('one'), answer('x'), system('S2'), user('two')], 16),
      counter,
    );
    expect(messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(messages[0]?.content).toBe('You operate a lab.\n\nS1\n\nS2');
  });

  it('A14: user messages in a row reach the model in order as one', () => {
    const { messages } = prepared(request([user('one'), user('two')], 16), counter);
    expect(messages.slice(1)).toEqual([user('one\n\ntwo')]);
  });

  it('A15, A17: a history that fits is the very same array, on the second turn too', () => {
    const history = [user('one'), calls('a'), result('a'), answer('done')];
    const first = prepared(request(history, 128), counter);
    expect(first.history).toBe(history);
    expect(first.dropped).toEqual([]);
    const longer = [...history, user(text(30_000))];
    expect(prepared(request(longer, 128), counter).history).toBe(longer);
  });

  it('A16: never changes what it is given', () => {
    const history = [
      user('one'),
      calls(call('a', `{"a":"${text(5_000)}"}`)),
      result('a', text(9_000)),
      user('  '),
      calls('a'),
    ];
    const copy = structuredClone(history);
    prepared(request(history, 4), counter);
    expect(history).toEqual(copy);
  });
});

describe('prepareContext, when it does not fit', () => {
  it('sends system and user message with a warning when only the window has room for them', () => {
    const outcome = prepared(
      request([user('old'), answer('x'), user('new')], 16, { prompt: { template: text(12_000) } }),
      counter,
    );
    expect(outcome.messages.map((message) => message.role)).toEqual(['system', 'user']);
    expect(outcome.dropped).toHaveLength(2);
    expect(outcome.warnings).toEqual([expect.objectContaining({ code: 'system_over_budget' })]);
    expect(outcome.warnings[0]?.message).toContain('12004');
  });

  it('names the message when it is the message that is too long', () => {
    const outcome = prepared(request([user(text(11_000))], 16), counter);
    expect(outcome.warnings.map((warning) => warning.code)).toEqual(['message_over_budget']);
  });

  it('A11b: names the tool tokens and the largest tools when tools alone are above the budget', () => {
    const tools = [
      ...Array.from({ length: 24 }, (_, index) => tool(`small_${index}`, 430)),
      tool('giant', 900),
    ];
    const outcome = prepared(request([user('hello')], 16, { tools }), counter);
    expect(outcome.warnings[0]?.code).toBe('tools_over_budget');
    expect(outcome.warnings[0]?.message).toContain(`${counter.countTools(tools)} tokens`);
    expect(outcome.warnings[0]?.message).toContain('Largest tools: giant 9');
    expect(outcome.messages.at(-1)?.content).toBe('hello');
  });

  it('A2: refuses with the three figures and the smallest limit that would do', () => {
    const outcome = prepareContext(request([user(text(3_000))], 1), counter);
    expect(outcome).toMatchObject({
      ok: false,
      error: {
        code: 'context_too_large',
        systemTokens: 22,
        toolTokens: 0,
        userTokens: 3_004,
        requiredLimitK: 4,
      },
    });
    expect(prepareContext(request([user(text(3_000))], 4), counter).ok).toBe(true);
    expect(prepareContext(request([user(text(3_000))], 3), counter).ok).toBe(false);
  });

  it('a retry after an overflow uses 80 % of the budget', () => {
    const history = Array.from({ length: 40 }, () => [user(text(120)), answer(text(120))]).flat();
    const { report } = prepared(request(history, 16, { budgetFactor: 0.8 }), counter);
    expect(report.total).toBeLessThanOrEqual(7_680);
    expect(report.total).toBeGreaterThan(7_400);
  });

  it('corrects to the safe side only, and reports uncorrected figures', () => {
    const history = Array.from({ length: 40 }, () => [user(text(120)), answer(text(120))]).flat();
    const total = (correction: number) =>
      prepared(request(history, 16, { correction }), counter).report.total;
    expect(total(1.5)).toBeLessThanOrEqual(6_400);
    expect(total(0.7)).toBe(total(1));
    expect(prepareContext(request([user(text(3_000))], 4, { correction: 1.4 }), counter)).toMatchObject({
      error: { requiredLimitK: 5 },
    });
  });

  it('falls back to valid last messages when trimming throws, and says why', () => {
    const broken = {
      ...user('x'),
      get content(): string {
        throw new Error('broken message');
      },
    };
    const outcome = prepared(request([broken, user('go'), calls('a'), result('a')], 16), counter);
    expect(outcome.fallbackCause).toEqual(new Error('broken message'));
    expect(outcome.history.map((message) => message.role)).toEqual(['user', 'assistant', 'tool']);
  });

  it('ends with an error when counting itself fails', () => {
    const failing = new MessageCounter({
      countSteps() {
        throw new Error('no ranks');
      },
    });
    expect(() => prepareContext(request([user('go')], 16), failing)).toThrow(TokenCountError);
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
