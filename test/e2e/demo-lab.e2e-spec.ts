import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collect, ofType, textOf } from './support/sse-client';
import { Stack } from './support/stack';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start({ model: 'demo' });
});

afterAll(() => stack.stop());

const chat = async (message: string, session_id: string) =>
  collect((await stack.chat(message, { session_id })).frames);

describe('the demo lab and the demo model', () => {
  it('"configure 10.0.12.1/30 on R1, then ping" changes the running configuration and streams the result', async () => {
    await chat('configure 10.0.12.2/30 on R2', 'addresses');
    const frames = await chat('configure 10.0.12.1/30 on R1, then ping 10.0.12.2', 'addresses');
    expect(ofType(frames, 'done')[0]).toMatchObject({ stop_reason: 'completed' });
    const outputs = ofType(frames, 'tool_end').map(({ tool_output }) => String(tool_output));
    expect(outputs.join('\n')).toContain('Success rate is');

    const read = await chat('compare R1 and R2', 'reading');
    const configs = ofType(read, 'tool_end').map(({ tool_output }) => String(tool_output));
    expect(configs.join('\n')).toContain('ip address 10.0.12.1 255.255.255.252');
  });

  it('says in its first answer what it is', async () => {
    expect(textOf(await chat('show the topology', 'first'))).toMatch(/demo model/i);
  });

  it('understands Chinese', async () => {
    const frames = await chat('检查所有设备的接口状态', 'zh');
    expect(ofType(frames, 'tool_end').length).toBeGreaterThan(0);
    expect(textOf(frames)).toMatch(/[\u4e00-\u9fff]/);
  });
});
