import { newRun } from '../../../../test/support/new-run';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConversationsRepository, DATABASE, RunIntake, type Connection } from '@copilot/persistence';
import { jsonRequest, TestGateway } from '../testing/test-gateway';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await TestGateway.start();
});

afterAll(() => gateway.stop());

async function estimate(body: object, projectId: string = gateway.projectId) {
  const response = await fetch(
    gateway.chatUrl('/estimate', projectId),
    jsonRequest('POST', { message: 'hello', ...body }),
  );
  return { status: response.status, body: await response.json() };
}

describe('an estimate', () => {
  it('is refused like the chat: without a model config, of a project that is closed or unknown', async () => {
    await expect(estimate({})).resolves.toMatchObject({ status: 400 });
    await gateway.configureModel();
    const closed = randomUUID();
    gateway.gns3.projects.set(closed, 'closed');
    await expect(estimate({}, closed)).resolves.toMatchObject({ status: 403 });
    await expect(estimate({}, randomUUID())).resolves.toMatchObject({ status: 404 });
  });

  it('says what is not in the figures where the lab cannot be read', async () => {
    await expect(estimate({ auto_adjust_limits: true })).resolves.toMatchObject({
      status: 200,
      body: {
        input_tokens: expect.any(Number),
        based_on_runs: 0,
        cost: null,
        notes: [expect.stringContaining('lab could not be read'), expect.stringContaining('planner')],
      },
    });
  });

  it("makes no session of a session_id that is new, and finds no other user's", async () => {
    const sessionId = randomUUID();
    await expect(estimate({ session_id: sessionId })).resolves.toMatchObject({ status: 200 });
    const { pool } = gateway.app.get<Connection>(DATABASE);
    expect((await pool.query('SELECT session_id FROM sessions')).rows).toEqual([]);
    const theirs = { projectId: gateway.projectId, userId: 'another', sessionId };
    await gateway.app.get(RunIntake).accept(newRun(theirs));
    await expect(estimate({ session_id: sessionId })).resolves.toMatchObject({
      status: 404,
      body: { message: `Session '${sessionId}' not found` },
    });
    await expect(gateway.app.get(ConversationsRepository).find(theirs)).resolves.toEqual({
      messages: [],
      summary: undefined,
    });
  });

  it('with max_cost names the price fields that the model config misses, and no others', async () => {
    const { rows } = await gateway.app
      .get<Connection>(DATABASE)
      .pool.query<{ config_id: string }>('SELECT config_id FROM model_configs');
    const url = `${gateway.configsUrl}/${rows[0]?.config_id}`;
    await fetch(url, jsonRequest('PUT', { input_price: 2.5 }));
    await expect(estimate({ max_cost: 1 })).resolves.toMatchObject({
      status: 422,
      body: {
        message: expect.stringMatching(/^max_cost .* got 1: .* has no output_price, currency\. Set them/),
      },
    });
    await fetch(url, jsonRequest('PUT', { output_price: 10, currency: 'EUR' }));
    await expect(estimate({ max_cost: 1 })).resolves.toMatchObject({
      status: 200,
      body: { cost: { currency: 'EUR' }, reason: null },
    });
  });

  it('of a message that does not fit the window is a 422 with the figures', async () => {
    await expect(estimate({ message: 'word '.repeat(30_000) })).resolves.toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('context_limit') },
    });
  });
});
