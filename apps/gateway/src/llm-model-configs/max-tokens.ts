import { ValidateBy } from 'class-validator';

export const MAX_TOKENS = 1_000_000_000;

/** In a change, `max_tokens` comes from a form field: a number, its digits, or a word for "leave it". */
export function readMaxTokens(value: unknown): number | 'unchanged' | 'invalid' {
  if (value === undefined || value === null || value === '' || value === 'null') return 'unchanged';
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  const valid = typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= MAX_TOKENS;
  return valid ? number : 'invalid';
}

export function IsMaxTokensText(): PropertyDecorator {
  return ValidateBy({
    name: 'isMaxTokensText',
    validator: {
      validate: (value: unknown) => readMaxTokens(value) !== 'invalid',
      defaultMessage: () => `must be a whole number from 1 to ${MAX_TOKENS}`,
    },
  });
}
