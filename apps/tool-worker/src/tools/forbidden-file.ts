import { readFile } from 'node:fs/promises';
import { ServiceRefusedError } from '@copilot/config';
import { DEFAULT_FORBIDDEN, parseForbiddenPatterns, type ForbiddenPatterns } from '../commands/forbidden';

/** The operator's list, or the built-in one. A list that cannot be read stops the worker: fewer commands would be forbidden than the operator believes. */
export async function readForbiddenPatterns(file: string | undefined): Promise<ForbiddenPatterns> {
  if (file === undefined) return DEFAULT_FORBIDDEN;
  try {
    return parseForbiddenPatterns(await readFile(file, 'utf8'));
  } catch (error) {
    throw new ServiceRefusedError(
      `FORBIDDEN_COMMANDS_FILE '${file}' cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}
