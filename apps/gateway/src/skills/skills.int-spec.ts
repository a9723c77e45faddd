import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SkillSetsRepository } from '@copilot/persistence';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { signJwt } from '../auth/jwt';
import { TestGateway } from '../testing/test-gateway';

const JWT_SECRET = 'a secret of more than thirty-two characters';
const PROMPT = 'You run labs.\n\n{{topology_info}}';
let folder: string;
let gateway: TestGateway;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skills-'));
  await mkdir(join(folder, 'prompts'));
  await mkdir(join(folder, 'config'));
  await write('prompts/lab_automation_assistant.md', PROMPT);
  gateway = await TestGateway.start({ settings: { SKILLS_DIR: folder } });
});

afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true });
});

const write = (file: string, text: string) => writeFile(join(folder, file), text);
const inForce = () => new SkillSetsRepository(gateway.connection).current();

async function reload(of: TestGateway = gateway, headers: Record<string, string> = {}) {
  const response = await fetch(`${of.url}/v3/copilot/reload/skills`, { method: 'POST', headers });
  return { status: response.status, body: await response.json() };
}

describe('POST /v3/copilot/reload/skills', () => {
  it('has nothing new to load of the folder that the gateway loaded at its start', async () => {
    const set = await inForce();
    expect(set).toMatchObject({ prompts: { lab_automation_assistant: PROMPT }, forbiddenCommands: null });
    expect(await reload()).toMatchObject({ status: 200, body: { success: true, version: set?.version } });
  });

  it('loads what has changed, and says how much there is', async () => {
    await write('prompts/title.md', 'Name it.');
    await write('config/forbidden_commands.txt', 'clear ip\nwrite memory\n');
    const before = await inForce();
    const { status, body } = await reload();
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        ...{ skills: [], skill_count: 0, protocols: [], protocol_count: 0 },
        ...{ prompts: ['lab_automation_assistant', 'title'], prompt_count: 2, forbidden_commands: 2 },
        version: expect.stringMatching(/^[0-9a-f]{12}$/),
        warnings: [],
      },
    });
    expect(body).not.toMatchObject({ version: before?.version });
    expect(await inForce()).toMatchObject({ forbiddenCommands: ['clear ip', 'write memory'] });
  });

  it('warns of a prompt that has lost the topology', async () => {
    await write('prompts/teaching_assistant.md', 'You teach.');
    expect(await reload()).toMatchObject({
      body: {
        warnings: [
          'prompts/teaching_assistant.md has no {{topology_info}}: the model is not told the topology',
        ],
      },
    });
  });

  describe('with a bad file', () => {
    afterEach(() => rm(join(folder, 'prompts', 'tittle.md')));

    it('names it and leaves everything as it was', async () => {
      const before = await inForce();
      await write('prompts/title.md', 'Name it better.');
      await write('prompts/tittle.md', 'Name it.');
      expect(await reload()).toMatchObject({
        status: 422,
        body: {
          message: expect.stringMatching(
            /^Skills are as before. prompts\/tittle.md: is no prompt; there are: /,
          ),
        },
      });
      expect(await inForce()).toEqual(before);
    });
  });
});

describe('who may reload', () => {
  let guarded: TestGateway;
  beforeAll(async () => {
    guarded = await TestGateway.start({ settings: { AUTH_MODE: 'jwt', JWT_SECRET } });
  });
  afterAll(() => guarded.stop());

  const as = (claims: object) => {
    const exp = Math.floor(Date.now() / 1_000) + 600;
    return { authorization: `Bearer ${signJwt({ sub: randomUUID(), exp, ...claims }, JWT_SECRET)}` };
  };

  it('only administrators', async () => {
    expect(await reload(guarded, as({ projects: 'all' }))).toEqual({
      status: 403,
      body: { message: 'Only administrators can reload skills' },
    });
  });

  it('hears from a gateway without a folder that there is none', async () => {
    expect(await reload(guarded, as({ superadmin: true }))).toEqual({
      status: 200,
      body: { success: false, message: expect.stringContaining('set SKILLS_DIR') },
    });
  });
});
