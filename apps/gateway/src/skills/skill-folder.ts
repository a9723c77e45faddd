import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PROMPT_NAMES, type PromptName, type SkillSet } from '@copilot/contracts';

/** The same file as in the reference server's skills repository. */
const FORBIDDEN_FILE = 'config/forbidden_commands.txt';
const PROMPT_FOLDER = 'prompts';
const MAX_FILE_BYTES = 64 * 1024;
const MAX_PATTERN_CHARS = 200;
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

export interface BadFile {
  /** Relative to the folder. */
  readonly file: string;
  readonly reason: string;
}

/** A folder that cannot be used as it is; says everything that is wrong with it. */
export class SkillFolderError extends Error {
  override readonly name = 'SkillFolderError';

  constructor(readonly badFiles: readonly BadFile[]) {
    super(badFiles.map(({ file, reason }) => `${file}: ${reason}`).join('; '));
  }
}

/**
 * Reads `prompts/<name>.md` and `config/forbidden_commands.txt`; each may be missing, and then the built-in one
 * holds. Rejects with SkillFolderError: half a set is never put in force.
 */
export async function readSkillFolder(folder: string): Promise<SkillSet> {
  const bad: BadFile[] = [];
  const prompts = await readPrompts(folder, bad);
  const forbiddenCommands = await readForbidden(folder, bad);
  if (Object.keys(prompts).length === 0 && forbiddenCommands === null && bad.length === 0) {
    bad.push({ file: '.', reason: `holds neither ${PROMPT_FOLDER}/*.md nor ${FORBIDDEN_FILE}` });
  }
  if (bad.length > 0) throw new SkillFolderError(bad);
  const content = { prompts, forbiddenCommands };
  return {
    version: createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 12),
    ...content,
  };
}

async function readPrompts(folder: string, bad: BadFile[]): Promise<Partial<Record<PromptName, string>>> {
  const prompts: Partial<Record<PromptName, string>> = {};
  for (const entry of await markdownIn(folder, bad)) {
    const file = `${PROMPT_FOLDER}/${entry}`;
    const name = PROMPT_NAMES.find((known) => known === basename(entry, '.md'));
    if (name === undefined) {
      bad.push({ file, reason: `is no prompt; there are: ${PROMPT_NAMES.join(', ')}` });
      continue;
    }
    const text = (await readText(folder, file, bad))?.trim();
    if (text === '') bad.push({ file, reason: 'is empty' });
    else if (text !== undefined) prompts[name] = text;
  }
  return prompts;
}

/** Sorted, so that the same files have the same version everywhere. */
async function markdownIn(folder: string, bad: BadFile[]): Promise<string[]> {
  try {
    const entries = await readdir(join(folder, PROMPT_FOLDER));
    return entries.filter((entry) => entry.endsWith('.md')).sort();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') bad.push({ file: PROMPT_FOLDER, reason: reasonOf(error) });
    return [];
  }
}

async function readForbidden(folder: string, bad: BadFile[]): Promise<string[] | null> {
  const text = await readText(folder, FORBIDDEN_FILE, bad, true);
  if (text === undefined) return null;
  const patterns = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const tooLong = patterns.find((pattern) => pattern.length > MAX_PATTERN_CHARS);
  if (tooLong !== undefined) {
    const reason = `a pattern has ${tooLong.length} characters; at most ${MAX_PATTERN_CHARS} are allowed`;
    bad.push({ file: FORBIDDEN_FILE, reason });
  }
  return patterns;
}

/** The text of a file, nothing if it is bad, or missing where it may be. */
async function readText(
  folder: string,
  file: string,
  bad: BadFile[],
  mayBeMissing = false,
): Promise<string | undefined> {
  try {
    const bytes = await readFile(join(folder, file));
    if (bytes.length > MAX_FILE_BYTES) throw new Error(`is larger than ${MAX_FILE_BYTES} bytes`);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (CONTROL.test(text)) throw new Error('holds control characters, so it is no text');
    return text;
  } catch (error) {
    if (!mayBeMissing || codeOf(error) !== 'ENOENT') bad.push({ file, reason: reasonOf(error) });
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'is not UTF-8';
  if (code !== undefined) return `cannot be read (${code})`;
  return error instanceof Error ? error.message : 'cannot be read';
}

function codeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;
}
