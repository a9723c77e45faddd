import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collect, ofType, textOf } from './support/sse-client';
import { post, Stack } from './support/stack';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});

afterAll(() => stack.stop());

const showVersion = {
  name: 'execute_multiple_device_commands',
  args: { device_configs: [{ device_name: 'R1', commands: ['show version'] }] },
};

async function chat(message: string, body?: Record<string, unknown>) {
  return collect((await stack.chat(message, body)).frames);
}

describe('the main job', () => {
  it('streams an answer with a tool call on a console', async () => {
    stack.model.play([{ text: ['Let me ', 'look. '], calls: [showVersion] }, { text: 'It is there.' }]);
    const frames = await chat('what is R1?');

    expect(frames.map(({ data }) => data.type)).toEqual([
      ...['run', 'context'],
      ...['content', 'content'],
      ...['tool_call', 'tool_call', 'tool_call', 'tool_call', 'tool_call'],
      ...['tool_start', 'tool_end', 'limits'],
      ...['context', 'content', 'limits', 'done'],
    ]);
    expect(textOf(frames)).toBe('Let me look. It is there.');
    expect(ofType(frames, 'tool_end')[0]?.tool_output).toContain('R1#show version');
    expect(ofType(frames, 'done')[0]).toMatchObject({
      stop_reason: 'completed',
      usage: { llm_calls: 2, tool_calls: 1, input_tokens: 200, output_tokens: 20, estimated: false },
    });
    expect(new Set(frames.map(({ id }) => id)).size).toBe(frames.length);
    expect(stack.model.requests).toHaveLength(2);
  });

  it('answers with one JSON when stream is false', async () => {
    stack.model.play([{ calls: [showVersion] }, { text: 'It is there.' }]);
    const response = await fetch(stack.chatUrl('/stream'), post({ message: 'what is R1?', stream: false }));
    expect(await response.json()).toMatchObject({
      answer: 'It is there.',
      stop_reason: 'completed',
      tool_calls: [{ name: 'execute_multiple_device_commands' }],
    });
  });

  it('gives the model the lab, the conversation so far and every result', async () => {
    const session_id = 'a conversation';
    stack.model.play([{ calls: [{ ...showVersion, id: 'call_0' }] }, { text: 'First answer.' }]);
    await chat('first question', { session_id });
    stack.model.play([{ calls: [{ ...showVersion, id: 'call_0' }] }, { text: 'Second answer.' }]);
    await chat('second question', { session_id });

    const [request] = stack.model.requests.slice(-1);
    const roles = request?.messages.map(({ role }) => role);
    expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user', 'assistant', 'tool']);
    expect(request?.messages[0]?.content).toMatch(/### CURRENT TOPOLOGY\s[^]*R1[^]*PC2/);
    const ids = request?.messages.flatMap(({ tool_call_id }) => tool_call_id ?? []);
    expect(new Set(ids).size).toBe(2);
  });

  it('runs the calls of one turn side by side and hands the results over in order', async () => {
    const readers = ['R1', 'R2'].map((device_name) => ({
      name: 'execute_multiple_device_commands',
      args: { device_configs: [{ device_name, commands: ['show clock'] }] },
    }));
    stack.model.play([{ calls: readers }, { text: 'Both.' }]);
    const frames = await chat('clocks?');
    expect(ofType(frames, 'tool_end')).toHaveLength(2);
    const results = stack.model.requests[1]?.messages.filter(({ role }) => role === 'tool');
    expect(results?.map(({ content }) => String(content).match(/R\d/)?.[0])).toEqual(['R1', 'R2']);
  });

  it('C3: ends an always-calling model with its twentieth call, without tools', async () => {
    stack.model.play((request, call) =>
      request.tool_choice === 'none'
        ? { text: 'I stop here.' }
        : {
            calls: [
              {
                name: 'execute_multiple_device_commands',
                args: { device_configs: [{ device_name: `X${call}`, commands: ['show clock'] }] },
              },
            ],
          },
    );
    const frames = await chat('go on for ever');
    expect(stack.model.requests).toHaveLength(20);
    expect(ofType(frames, 'done')[0]).toMatchObject({ stop_reason: 'max_iterations' });
    expect(textOf(frames)).toBe('I stop here.');
  });

  it('refuses what the mode does not offer, and sends nothing', async () => {
    await stack.clearLabCommands();
    const config = await stack.createModelConfig({
      base_url: stack.model.baseUrl,
      model: 'scripted',
      copilot_mode: 'teaching_assistant',
    });
    stack.model.play([
      {
        calls: [
          {
            name: 'execute_multiple_device_config_commands',
            args: { device_configs: [{ device_name: 'R1', config_commands: ['hostname X'] }] },
          },
        ],
      },
      { text: 'I may not.' },
    ]);
    const frames = await chat('change it');
    expect(config).toBeDefined();
    expect(ofType(frames, 'tool_start')).toEqual([]);
    expect(ofType(frames, 'tool_end')[0]?.tool_output).toContain(
      "not available in mode 'teaching_assistant'",
    );
    expect(await stack.labCommands()).toEqual([]);
    await stack.createModelConfig({ base_url: stack.model.baseUrl, model: 'scripted' });
  });

  it('C13: answers an unknown tool and bad arguments with the fault, and goes on', async () => {
    stack.model.play([
      { calls: [{ name: 'nope', args: {} }] },
      { calls: [{ name: 'execute_multiple_device_commands', args: { device_configs: 'R1' } }] },
      { text: 'I see.' },
    ]);
    const frames = await chat('do something odd');
    const ends = ofType(frames, 'tool_end').map(({ tool_output }) => String(tool_output));
    expect(ends[0]).toContain("there is no tool 'nope'");
    expect(ends[1]).toContain('device_configs');
    expect(textOf(frames)).toBe('I see.');
  });
});

describe('odd providers', () => {
  it('B1: takes special-token text as plain text', async () => {
    stack.model.play([{ text: 'A marker.' }]);
    const frames = await chat('what is <|endoftext|> and <|fim_prefix|>?');
    expect(textOf(frames)).toBe('A marker.');
    expect(JSON.stringify(stack.model.requests[0]?.messages.at(-1))).toContain(
      '<|endoftext|> and <|fim_prefix|>',
    );
  });

  it('F4: ignores chunks without choices and reads the usage of the last one', async () => {
    stack.model.play([
      {
        chunks: [
          { id: 'x', object: 'chat.completion.chunk', choices: [] },
          {
            id: 'x',
            choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: null }],
          },
          { id: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
          { id: 'x', choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } },
        ],
      },
    ]);
    const frames = await chat('hello');
    expect(textOf(frames)).toBe('Hi');
    expect(ofType(frames, 'done')[0]?.usage).toMatchObject({ input_tokens: 7, output_tokens: 3 });
  });

  it('E8: hands text on byte for byte', async () => {
    const text = ['\n\n', ' x', 'x\n', '\r', '\u2028', 'data: y', 'é漢👩‍🚒', '\n'];
    stack.model.play([{ text }]);
    expect(textOf(await chat('say odd things'))).toBe(text.join(''));
  });

  it('E2, F13: an error after some text ends the run with an error and done, and the text stays', async () => {
    stack.model.play([{ text: ['one ', 'two ', 'three'], reset: true }]);
    const frames = await chat('break');
    expect(textOf(frames)).toBe('one two three');
    expect(frames.slice(-2).map(({ data }) => data.type)).toEqual(['error', 'done']);
    expect(ofType(frames, 'error')[0]).toMatchObject({ code: 'model_interrupted' });
    stack.model.play([{ text: 'Fine again.' }]);
    expect(textOf(await chat('and now?'))).toBe('Fine again.');
  });

  it('never ends in silence: an empty answer is said to be one', async () => {
    stack.model.play([{ text: '' }]);
    expect(textOf(await chat('say nothing'))).toContain('without an answer');
  });
});

describe('short runs', () => {
  it('D5: every one of 100 runs delivers its result', async () => {
    stack.model.play(() => ({ text: 'ok' }));
    const answers: string[] = [];
    for (let batch = 0; batch < 10; batch += 1) {
      const frames = await Promise.all(Array.from({ length: 10 }, () => chat('quick')));
      answers.push(...frames.map(textOf));
    }
    expect(answers).toEqual(Array.from({ length: 100 }, () => 'ok'));
  });

  it('E5: a client that attaches after the end has every event, in order', async () => {
    stack.model.play([{ text: ['a', 'b', 'c'] }]);
    const live = await chat('letters');
    const runId = String(live[0]?.data.run_id);
    expect(await stack.resume(runId, undefined)).toEqual(live);
  });

  it.each(['user:42', '123', 'with some spaces', 'ü'.repeat(300)])(
    'D4: takes the session id %p',
    async (session_id) => {
      stack.model.play(() => ({ text: 'ok' }));
      const frames = await chat('hello', { session_id });
      expect(frames.at(-1)?.data).toMatchObject({ type: 'done', session_id });
    },
  );

  it('works off the messages of one session one by one, in order', async () => {
    const session_id = 'one line';
    stack.model.play((request) => ({
      text: `re: ${String(request.messages.at(-1)?.content)}`,
      delayMs: 100,
    }));
    const sent = ['one', 'two', 'three', 'four'];
    const streams = [];
    for (const message of sent) streams.push(await stack.chat(message, { session_id }));
    const answers = await Promise.all(streams.map(async ({ frames }) => textOf(await collect(frames))));
    expect(answers).toEqual(sent.map((message) => `re: ${message}`));
    expect(stack.model.requests.map(({ messages }) => messages.length)).toEqual([2, 4, 6, 8]);
  });
});
