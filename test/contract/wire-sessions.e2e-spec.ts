import { LOCAL_USER_ID } from '@copilot/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { show } from '../e2e/support/limit-scripts';
import { Stack } from '../e2e/support/stack';
import { asWebUi } from './support/web-ui-reader';
import { CHAT_SPELLINGS, NAIVE_UTC, request, WireChat } from './support/wire';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});

afterAll(() => stack.stop());

describe.each(CHAT_SPELLINGS)('sessions under the path %s', (of, prefix) => {
  const chat = () => new WireChat(stack, prefix);
  /** As the reference was seen to take it: any text at all. */
  const named = (name: string) => `${name} ${of} / é`;
  const rowOf = async (sessionId: string) =>
    (await chat().sessions()).find(({ thread_id }) => thread_id === sessionId);

  it('have their figures and title right after `done`, in exactly the fields of the contract', async () => {
    const sessionId = named('first');
    stack.model.play([{ text: 'Let me look. ', calls: [show('R1')] }, { text: 'It is noon.' }]);
    let row: unknown;
    for await (const { type } of asWebUi(await chat().open('what time is it?', sessionId))) {
      if (type === 'done') row = await rowOf(sessionId);
    }
    expect(row).toEqual({
      id: expect.any(Number),
      thread_id: sessionId,
      user_id: LOCAL_USER_ID,
      project_id: stack.lab.projectId,
      title: 'Scripted title',
      // The question, one answer a turn, and the result of the tool.
      message_count: 3,
      llm_calls_count: 2,
      input_tokens: 200,
      output_tokens: 20,
      total_tokens: 220,
      last_message_at: NAIVE_UTC,
      created_at: NAIVE_UTC,
      updated_at: NAIVE_UTC,
      metadata: { copilot_mode: 'lab_automation_assistant' },
      stats: {},
      pinned: false,
    });
  });

  it('come pinned ones first, and within that the one that changed last', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map(named) as [string, string, string];
    for (const sessionId of [a, b, c]) await chat().say(sessionId);
    const order = async () =>
      (await chat().sessions())
        .map(({ thread_id }) => thread_id)
        .filter((id) => [a, b, c].includes(String(id)));
    expect(await order()).toEqual([c, b, a]);
    await chat().session('PUT', a, '/pin');
    expect(await order()).toEqual([a, c, b]);
    await chat().session('PUT', b, '/pin');
    expect(await order()).toEqual([b, a, c]);
    await chat().session('PATCH', a, '', { title: 'changed' });
    expect(await order()).toEqual([a, b, c]);
    for (const sessionId of [a, b]) await chat().session('DELETE', sessionId, '/pin');
    await chat().say(c);
    expect(await order()).toEqual([c, b, a]);

    const rows = await chat().sessions();
    const keys = rows.map(({ pinned, updated_at }) => `${pinned ? 1 : 0} ${String(updated_at)}`);
    expect(keys).toEqual([...keys].sort().reverse());
  });

  it('are filtered by the mode that they began in, whatever the mode of a later run is', async () => {
    const [faults, lab] = [named('faults'), named('lab')];
    const inject = (session_id: string) =>
      fetch(`${chat().base}/inject`, request('POST', { message: '', session_id })).then((r) => r.text());
    await inject(faults);
    await chat().say(faults);
    await chat().say(lab);
    await inject(lab);
    const inMode = async (mode: string) =>
      (await chat().sessions(`?copilot_mode=${mode}`)).map(({ thread_id }) => thread_id);
    expect(await inMode('troubleshooting_injection')).toContain(faults);
    expect(await inMode('troubleshooting_injection')).not.toContain(lab);
    expect(await inMode('lab_automation_assistant')).toContain(lab);
    expect(await inMode('lab_automation_assistant')).not.toContain(faults);
    expect(await inMode('no_such_mode')).toEqual([]);
  });

  it('are renamed, and the title stays over later messages, in the list and in the history', async () => {
    const sessionId = named('renamed');
    await chat().say(sessionId);
    const before = await rowOf(sessionId);
    expect(await chat().session('PATCH', sessionId, '', { title: 'Mine é' })).toEqual({
      status: 200,
      body: { ...before, title: 'Mine é', updated_at: NAIVE_UTC },
    });
    await chat().say(sessionId);
    expect(await rowOf(sessionId)).toMatchObject({ title: 'Mine é', message_count: 4 });
    const { body } = await chat().session('GET', sessionId, '/history');
    expect(body).toMatchObject({ title: 'Mine é' });
  });

  it('take a title of 1 to 255 characters', async () => {
    const sessionId = named('titled');
    await chat().say(sessionId);
    for (const title of ['x', 'x'.repeat(255)]) {
      expect(await chat().session('PATCH', sessionId, '', { title })).toMatchObject({ body: { title } });
    }
    for (const body of [{ title: '' }, { title: 'x'.repeat(256) }, { title: 7 }, {}]) {
      expect(await chat().session('PATCH', sessionId, '', body)).toEqual({
        status: 422,
        body: { message: expect.stringContaining('title') },
      });
    }
  });

  it.each([
    ['without a body', undefined],
    ['with `null`, as the web UI', null],
    ['with an object', {}],
  ])('are pinned by a PUT %s, and unpinned by a DELETE that answers with the session', async (_, body) => {
    const sessionId = named('pinned');
    await chat().say(sessionId);
    const before = await rowOf(sessionId);
    const pinned = await chat().session('PUT', sessionId, '/pin', body);
    expect(pinned).toEqual({ status: 200, body: { ...before, pinned: true, updated_at: NAIVE_UTC } });
    expect(String((pinned.body as { updated_at: string }).updated_at) > String(before?.updated_at)).toBe(
      true,
    );
    expect(await rowOf(sessionId)).toEqual(pinned.body);
    const unpinned = await chat().session('DELETE', sessionId, '/pin');
    expect(unpinned).toEqual({ status: 200, body: { ...before, updated_at: NAIVE_UTC } });
  });

  it('are deleted with 204 and no body, with all that belongs to them, and the id begins anew', async () => {
    const sessionId = named('deleted');
    await chat().say(sessionId, 'what time is it?');
    expect(await chat().session('DELETE', sessionId)).toEqual({ status: 204, body: undefined });
    expect(await rowOf(sessionId)).toBeUndefined();
    expect(await chat().history(sessionId)).toEqual([]);
    stack.model.play([{ text: 'Hello.' }]);
    await chat().say(sessionId);
    expect(JSON.stringify(stack.model.requests)).not.toContain('what time is it?');
    expect(await rowOf(sessionId)).toMatchObject({ message_count: 2 });
  });

  it.each([
    ['PATCH', '', { title: 'x' }],
    ['DELETE', '', undefined],
    ['PUT', '/pin', undefined],
    ['DELETE', '/pin', undefined],
  ])('that are unknown are a 404 for %s %s', async (method, rest, body) => {
    expect(await chat().session(method, 'no such / é', rest, body)).toEqual({
      status: 404,
      body: { message: "Session 'no such / é' not found" },
    });
  });
});
