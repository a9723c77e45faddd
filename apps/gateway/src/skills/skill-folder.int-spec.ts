import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readSkillFolder, SkillFolderError } from './skill-folder';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skills-'));
  await mkdir(join(folder, 'prompts'));
  await mkdir(join(folder, 'config'));
});

afterEach(() => rm(folder, { recursive: true }));

const write = (file: string, text: string | Uint8Array) => writeFile(join(folder, file), text);
const badFiles = async () => {
  const error = await readSkillFolder(folder).catch((thrown: unknown) => thrown);
  if (!(error instanceof SkillFolderError)) throw new Error('the folder should be refused');
  return error.badFiles;
};

describe('readSkillFolder', () => {
  it('reads prompts and forbidden commands, each of which may be missing', async () => {
    await write('prompts/title.md', '\nName it in three words.\n');
    expect(await readSkillFolder(folder)).toMatchObject({
      prompts: { title: 'Name it in three words.' },
      forbiddenCommands: null,
    });
    await write('config/forbidden_commands.txt', '# long ones\n\n  clear ip \nwrite memory\r\n');
    expect(await readSkillFolder(folder)).toMatchObject({ forbiddenCommands: ['clear ip', 'write memory'] });
  });

  it('gives the same version for the same content only', async () => {
    await write('prompts/title.md', 'Name it.');
    const first = await readSkillFolder(folder);
    expect(await readSkillFolder(folder)).toEqual(first);
    await write('prompts/title.md', 'Name it!');
    expect((await readSkillFolder(folder)).version).not.toBe(first.version);
  });

  it('names every bad file with its reason, and none of what it holds', async () => {
    await write('prompts/title.md', ' \n');
    await write('prompts/tittle.md', 'Name it.');
    await write('prompts/planner.md', 'x'.repeat(65_537));
    await write('prompts/summary.md', Uint8Array.of(0xff, 0xfe));
    await mkdir(join(folder, 'prompts', 'teaching_assistant.md'));
    await write('config/forbidden_commands.txt', `clear\0ip\n`);
    expect(await badFiles()).toEqual([
      { file: 'prompts/planner.md', reason: 'is larger than 65536 bytes' },
      { file: 'prompts/summary.md', reason: 'is not UTF-8' },
      { file: 'prompts/teaching_assistant.md', reason: 'cannot be read (EISDIR)' },
      { file: 'prompts/title.md', reason: 'is empty' },
      {
        file: 'prompts/tittle.md',
        reason: expect.stringContaining('is no prompt; there are: teaching_assistant,'),
      },
      { file: 'config/forbidden_commands.txt', reason: 'holds control characters, so it is no text' },
    ]);
  });

  it('refuses a pattern that no command could begin with', async () => {
    await write('config/forbidden_commands.txt', 'x'.repeat(201));
    expect(await badFiles()).toEqual([
      {
        file: 'config/forbidden_commands.txt',
        reason: 'a pattern has 201 characters; at most 200 are allowed',
      },
    ]);
  });

  it('refuses a folder with nothing in it: it is the wrong one', async () => {
    const nothing = [{ file: '.', reason: 'holds neither prompts/*.md nor config/forbidden_commands.txt' }];
    expect(await badFiles()).toEqual(nothing);
    folder = join(folder, 'missing');
    expect(await badFiles()).toEqual(nothing);
    folder = join(folder, '..');
  });
});
