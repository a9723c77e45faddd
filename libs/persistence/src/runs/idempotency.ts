import { errorChain } from '@copilot/contracts';
import { IDEMPOTENCY_INDEX } from '../schema';

/** A caller's own name for a request, and a hash by which another request under it is known. */
export interface Idempotency {
  readonly key: string;
  readonly requestHash: string;
}

/** The key was sent with another request before. */
export class IdempotencyConflictError extends Error {
  override readonly name = 'IdempotencyConflictError';

  constructor(key: string) {
    super(
      `Idempotency-Key '${key}' was sent before with another request. Send the same body again, or use a new key.`,
    );
  }
}

/** Whether an insert failed because a run with its key was inserted a moment before. */
export function isKeyTaken(failure: unknown): boolean {
  return [...errorChain(failure)].some(
    ({ code, error }) => code === UNIQUE_VIOLATION && Reflect.get(error, 'constraint') === IDEMPOTENCY_INDEX,
  );
}

/** Postgres's code; its texts are in the server's language. */
const UNIQUE_VIOLATION = '23505';
