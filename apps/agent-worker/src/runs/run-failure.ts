import { RunError } from '@copilot/contracts';
import { FencedError, LogClosedError } from '@copilot/events';
import { ClaimLostError, isDatabaseUnavailable } from '@copilot/persistence';
import { isRedisUnavailable } from '@copilot/redis';

/** Another worker has the run, or it was ended from outside: whatever this one still does must not show. */
export function isClaimLoss(error: unknown): boolean {
  return error instanceof ClaimLostError || error instanceof FencedError || error instanceof LogClosedError;
}

/** The queue says that every call of a turn has ended, and the rows do not have all of the results. */
export class ResultsMissingError extends Error {
  override readonly name = 'ResultsMissingError';
}

/** Something is away for the moment: the queue delivers the run again, after a pause. */
export function isOperational(error: unknown): boolean {
  return error instanceof ResultsMissingError || isDatabaseUnavailable(error) || isRedisUnavailable(error);
}

/** The failure as the user is told it; what nobody foresaw is only named as that. */
export function toRunError(error: unknown): RunError {
  if (error instanceof RunError) return error;
  return new RunError(
    'internal_error',
    'The service has met an internal error; it has been logged with the id of this run. Send the message again.',
    { cause: error },
  );
}
