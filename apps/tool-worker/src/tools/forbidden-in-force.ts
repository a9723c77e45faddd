import { readFile } from 'node:fs/promises';
import { ServiceRefusedError } from '@copilot/config';
import type { SkillSet } from '@copilot/contracts';
import { DEFAULT_FORBIDDEN, parseForbiddenPatterns, type ForbiddenPatterns } from '../commands/forbidden';

/**
 * The list of this worker's own file, null without one. A list that cannot be read stops the worker: fewer
 * commands would be forbidden than the operator believes.
 */
export async function readForbiddenFile(file: string | undefined): Promise<ForbiddenPatterns | null> {
  if (file === undefined) return null;
  try {
    return parseForbiddenPatterns(await readFile(file, 'utf8'));
  } catch (error) {
    throw new ServiceRefusedError(
      `FORBIDDEN_COMMANDS_FILE '${file}' cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

/**
 * What is forbidden on this worker: the lists of its file and of the loaded skills, both where there are both,
 * and the built-in one where there is neither.
 */
export function forbiddenInForce(own: ForbiddenPatterns | null, skills: SkillSet | null): ForbiddenPatterns {
  const loaded = skills?.forbiddenCommands ?? null;
  if (loaded === null) return own ?? DEFAULT_FORBIDDEN;
  return [...(own ?? []), ...parseForbiddenPatterns(loaded.join('\n'))];
}
