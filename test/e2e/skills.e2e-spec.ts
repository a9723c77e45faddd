import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatRequest } from '../fakes/scripted-model';
import { collect, ofType } from './support/sse-client';
import { Stack } from './support/stack';

let folder: string;
let stack: Stack;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skills-'));
  await mkdir(join(folder, 'prompts'));
  await mkdir(join(folder, 'config'));
  await writeFile(join(folder, 'prompts', 'lab_automation_assistant.md'), 'First rule.\n\n{{topology_info}}');
  stack = await Stack.start({ env: { SKILLS_DIR: folder } });
});

afterAll(async () => {
  await stack.stop();
  await rm(folder, { recursive: true });
});

/** One chat whose model looks at R1's clock; the prompt it was given, and what the tool said. */
async function lookAtClock(): Promise<{ prompt: string; output: string }> {
  let prompt = '';
  stack.model.play((request: ChatRequest) => {
    prompt = String(request.messages[0]?.content);
    return request.messages.at(-1)?.role === 'tool'
      ? { text: 'Done.' }
      : {
          calls: [
            {
              name: 'execute_multiple_device_commands',
              args: { device_configs: [{ device_name: 'R1', commands: ['show clock'] }] },
            },
          ],
        };
  });
  const frames = await collect((await stack.chat('what time is it?')).frames);
  return { prompt, output: String(ofType(frames, 'tool_end')[0]?.tool_output) };
}

/** Every process asks again after two seconds. */
async function until(holds: (seen: { prompt: string; output: string }) => boolean) {
  for (;;) {
    const seen = await lookAtClock();
    if (holds(seen)) return seen;
  }
}

describe("an operator's prompts and forbidden commands", () => {
  it('are in force from the start, for workers that do not know the folder', async () => {
    const { prompt, output } = await until((seen) => seen.prompt.includes('First rule.'));
    expect(prompt).toContain('R1');
    expect(output).toContain('show clock');
    expect(output).not.toContain('not allowed');
  });

  it('are in force at all workers after a reload, without a restart', async () => {
    await writeFile(join(folder, 'prompts', 'lab_automation_assistant.md'), 'Second rule. {{topology_info}}');
    await writeFile(join(folder, 'config', 'forbidden_commands.txt'), 'show clock\n');
    const response = await fetch(stack.url('/v3/copilot/reload/skills'), { method: 'POST' });
    expect(await response.json()).toMatchObject({ success: true, prompt_count: 1, forbidden_commands: 1 });
    await until(({ output }) => output.includes("forbidden pattern 'show clock'"));
    await until(({ prompt }) => prompt.includes('Second rule.'));
    await stack.clearLabCommands();
    await lookAtClock();
    expect(await stack.labCommands()).toEqual([]);
  });
});
