import { describe, expect, it } from '@jest/globals';
import { LIMIT_RANGES } from '@copilot/limits';
import { ChatRequestDto } from '../chat/chat-request.dto';
import { CreateModelConfigDto, UpdateModelConfigDto } from '../llm-model-configs/model-config-requests.dto';
import { BodyPipe } from './body.pipe';

const pipe = new BodyPipe();
const chat = (body: unknown) => pipe.transform(body, { type: 'body', metatype: ChatRequestDto });
const creation = (fields: object) =>
  pipe.transform({ ...CONFIG, ...fields }, { type: 'body', metatype: CreateModelConfigDto });
const change = (body: unknown) => pipe.transform(body, { type: 'body', metatype: UpdateModelConfigDto });

const CONFIG = { name: 'n', model_type: 'text', provider: 'p', base_url: '', model: 'm', context_limit: 8 };

describe('a chat request', () => {
  it('needs only a message', async () => {
    await expect(chat({ message: 'hello' })).resolves.toBeInstanceOf(ChatRequestDto);
  });

  it('may have nulls, and fields that nobody knows', async () => {
    const body = {
      message: 'a',
      session_id: null,
      stream: null,
      mode: null,
      temperature: null,
      multitask_strategy: null,
      on_disconnect: null,
      seen: { constructor: 1 },
    };
    await expect(chat(body)).resolves.toMatchObject({ message: 'a', seen: { constructor: 1 } });
  });

  it.each([
    [undefined, 'message must be a text that is not blank, 1 to 200000 characters long, but it is missing'],
    [{ message: '' }, 'message must be a text that is not blank, 1 to 200000 characters long, got ""'],
    [{ message: ['a'] }, 'message must be a text that is not blank, 1 to 200000 characters long, got ["a"]'],
    [
      { message: 'a', session_id: '' },
      'session_id must be a text, 1 to 300 characters long, valid Unicode without NUL, got ""',
    ],
    [
      { message: 'a', session_id: 7 },
      'session_id must be a text, 1 to 300 characters long, valid Unicode without NUL, got 7',
    ],
    [
      { message: 'a', mode: 'voice', stream: 1 },
      'stream must be true or false, got 1; mode must be "text", got "voice"',
    ],
    [
      { message: 'a', multitask_strategy: 'rollback', on_disconnect: true },
      'multitask_strategy must be one of enqueue, reject, interrupt, got "rollback"; on_disconnect must be one of continue, cancel, got true',
    ],
    [
      { message: 'a', multitask_strategy: ['reject'] },
      'multitask_strategy must be one of enqueue, reject, interrupt, got ["reject"]',
    ],
    [{ message: 'a', temperature: 'hot' }, 'temperature must be a number from 0 to 2, got "hot"'],
    [{ message: 'a', temperature: 2.1 }, 'temperature must be a number from 0 to 2, got 2.1'],
    [[], 'The body must be a JSON object'],
    ['text', 'The body must be a JSON object'],
  ])('%j is refused with field, rule and value', async (body, message) => {
    await expect(chat(body)).rejects.toMatchObject({ status: 422, message });
  });

  const bounded = Object.entries(LIMIT_RANGES).filter(([field]) => !/temperature|tool_limits/.test(field));
  it.each(
    bounded.flatMap(([field, { min, max }]) =>
      [...new Set([min - 1, -1, max + 1, 1.5, 'ten', true, [1]])].map((value) => ({
        field,
        min,
        max,
        value,
      })),
    ),
  )('C14: $field $value is refused with field, range and value', async ({ field, min, max, value }) => {
    const message = `${field} must be a whole number from ${min} to ${max}, got ${JSON.stringify(value)}`;
    await expect(chat({ message: 'a', [field]: value })).rejects.toMatchObject({ status: 422, message });
  });

  it.each([
    [[], 'must be an object of tool names with whole numbers from 0 to 50, got []'],
    [{ gns3_topology_reader: 51 }, 'that of gns3_topology_reader is not, got {"gns3_topology_reader":51}'],
    [{ gns3_topology_reader: '1' }, 'that of gns3_topology_reader is not'],
    [{ nope: 1 }, 'the known tools are gns3_topology_reader, '],
    [JSON.parse('{"__proto__":1}') as object, 'the known tools are'],
  ])('tool_limits %j is refused with what is wrong', async (tool_limits, message) => {
    const refusal = chat({ message: 'a', tool_limits });
    await expect(refusal).rejects.toMatchObject({ message: expect.stringContaining(message) });
  });

  it.each([
    [{ on_limit_reached: 'stop' }, 'on_limit_reached must be one of fail, warn, continue, got "stop"'],
    [{ retry_on_tool_error: 1 }, 'retry_on_tool_error must be true or false, got 1'],
    [{ max_cost: 0 }, 'max_cost must be a number above 0 and up to 1000000, got 0'],
    [{ max_cost: -0.5 }, 'max_cost must be a number above 0 and up to 1000000, got -0.5'],
    [{ max_cost: 1_000_001 }, 'max_cost must be a number above 0 and up to 1000000, got 1000001'],
    [{ max_cost: '1' }, 'max_cost must be a number above 0 and up to 1000000, got "1"'],
    [{ max_cost: [1] }, 'max_cost must be a number above 0 and up to 1000000, got [1]'],
    [
      { estimate_cost_before_execution: 'yes' },
      'estimate_cost_before_execution must be true or false, got "yes"',
    ],
    [{ auto_adjust_limits: 1 }, 'auto_adjust_limits must be true or false, got 1'],
  ])('%j is refused with what is allowed', async (limit, message) => {
    await expect(chat({ message: 'a', ...limit })).rejects.toMatchObject({ status: 422, message });
  });

  it('takes every limit at both ends of its range, and nulls', async () => {
    const ends = (end: 'min' | 'max') =>
      Object.fromEntries(bounded.map(([field, range]) => [field, range[end]]));
    const nulls = Object.fromEntries(bounded.map(([field]) => [field, null]));
    for (const limits of [ends('min'), ends('max'), nulls, { tool_limits: { gns3_topology_reader: 0 } }]) {
      await expect(chat({ message: 'a', ...limits })).resolves.toMatchObject(limits);
    }
  });

  it('shortens long values', async () => {
    const refusal = chat({ message: 'a', session_id: 'x'.repeat(301) });
    await expect(refusal).rejects.toMatchObject({ message: expect.stringMatching(/got "x{59}\.\.\.$/) });
  });

  it.each(['{"__proto__":{"message":"a"}}', '{"constructor":{"name":"Other"}}', '{"toString":"a"}'])(
    'cannot get around its rules by %s',
    async (json) => {
      await expect(chat(JSON.parse(json))).rejects.toMatchObject({ status: 422 });
    },
  );

  it('refuses a body nested deeper than anything real', async () => {
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    await expect(chat({ message: 'a', deep })).rejects.toMatchObject({ status: 422 });
  });
});

describe('a model config', () => {
  it.each([
    [{ name: 'x'.repeat(101) }, 'name must be a text that is not blank, 1 to 100 characters long'],
    [
      { model_type: 'chat' },
      'model_type must be one of text, vision, stt, tts, multimodal, embedding, reranking, other, got "chat"',
    ],
    [{ temperature: 2.1 }, 'temperature must be a number from 0 to 2, got 2.1'],
    [{ max_tokens: 0 }, 'max_tokens must be a whole number from 1 to 1000000000, got 0'],
    [
      { context_strategy: 'bold' },
      'context_strategy must be one of conservative, balanced, aggressive, got "bold"',
    ],
    [{ tokenizer: 'own' }, 'tokenizer must be one of cl100k_base, o200k_base, got "own"'],
    [{ is_default: 'yes' }, 'is_default must be true or false, got "yes"'],
    [{ provider: undefined }, 'but it is missing'],
    [
      { input_price: -1 },
      'input_price must be a number from 0 to 1000000 with at most 6 decimal places, got -1',
    ],
    [{ output_price: '2.5' }, 'output_price must be a number from 0 to 1000000'],
    [{ cached_input_price: 0.1234567 }, 'with at most 6 decimal places, got 0.1234567'],
    [
      { currency: 'usd' },
      'currency must be a currency code of three capital letters, for example "USD", got "usd"',
    ],
    [
      { api_key: 12_345_678 },
      'api_key must be a text, 0 to 10000 characters long, valid Unicode without NUL, but it is not',
    ],
  ])('with %j is refused with field, rule and value', async (fields, message) => {
    await expect(creation(fields)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining(message),
    });
  });

  it.each([
    [{ max_tokens: 4_096 }],
    [{ max_tokens: '4096' }],
    [{ max_tokens: '' }],
    [{ max_tokens: 'null' }],
    [{ max_tokens: null, name: null, context_limit: null }],
    [{ expected_version: 0 }],
    [{}],
    [undefined],
  ])('can be changed by %j', async (body) => {
    await expect(change(body)).resolves.toBeInstanceOf(UpdateModelConfigDto);
  });

  it.each([
    { max_tokens: '-1' },
    { max_tokens: '1e3' },
    { max_tokens: 1.5 },
    { expected_version: -1 },
    { model: '' },
  ])('cannot be changed by %j', async (body) => {
    await expect(change(body)).rejects.toMatchObject({ status: 422 });
  });
});
