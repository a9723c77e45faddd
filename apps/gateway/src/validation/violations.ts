import { CONTEXT_LIMIT_REQUIRED } from '@copilot/contracts';
import type { ValidationError } from 'class-validator';
import { ApiError, unprocessable } from '../errors/api-error';

const MAX_SHOWN_CHARS = 60;

/** Their values must not come back in an answer, which may be logged on its way. */
const SECRET_FIELDS = new Set(['api_key']);

/** The 422 for a body's violations. */
export function violationError(errors: readonly ValidationError[]): ApiError {
  // The text is fixed word for word, and is given alone and under two names, whatever else is wrong.
  if (errors.some(({ property }) => property === 'context_limit')) {
    return new ApiError(422, CONTEXT_LIMIT_REQUIRED, { body: { detail: CONTEXT_LIMIT_REQUIRED } });
  }
  return unprocessable(describeViolations(errors));
}

/** One sentence a field: its name, what it must be, and what it was. */
function describeViolations(errors: readonly ValidationError[]): string {
  return errors.map(describe).join('; ');
}

function describe({ property, value, constraints }: ValidationError): string {
  const [rule] = Object.values(constraints ?? {});
  return `${property} ${rule ?? 'is not valid'}, ${shown(property, value)}`;
}

function shown(property: string, value: unknown): string {
  if (value === undefined) return 'but it is missing';
  if (SECRET_FIELDS.has(property)) return 'but it is not';
  return `got ${shortened(value)}`;
}

/** A value as JSON, cut to what fits into a sentence. */
export function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS).toWellFormed()}...` : text;
}
