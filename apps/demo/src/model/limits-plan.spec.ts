import { describe, expect, it } from '@jest/globals';
import { chatRequest } from './chat-request';
import { readConversation } from './conversation';
import { plan } from './planner';

const ask = (system: string, message: string) =>
  plan(
    readConversation(
      chatRequest.parse({
        model: 'demo',
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: `### Message\n\n${message}\n\n### Lab\n\nR1\n\n### Tools\n\nx` },
        ],
      }),
    ),
  );
const PLANNER = 'Estimate iterations. Answer with one JSON object alone.';

describe('the plan of a run', () => {
  it.each([
    ['Configure OSPF on all routers', 2],
    ['配置所有路由器的 OSPF', 2],
    ['Show the topology', 0],
  ])('of %j has %d calls that configure', (message, device_config_calls) => {
    const { text, calls } = ask(PLANNER, message);
    expect(calls).toEqual([]);
    expect(JSON.parse(text)).toMatchObject({ device_config_calls, iterations: expect.any(Number) });
  });

  it('is not made for a title', () => {
    expect(ask('Write the title alone.', 'Show the topology').text).not.toContain('{');
  });
});
