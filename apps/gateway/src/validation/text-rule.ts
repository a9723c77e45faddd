import { ValidateBy, type ValidationOptions } from 'class-validator';

interface TextLimits {
  readonly min: number;
  readonly max: number;
  /** Texts of white space only do not count as texts. */
  readonly notBlank?: boolean;
  /** For ids: NUL and halves of a surrogate pair cannot be stored as they are. */
  readonly exact?: boolean;
}

/** Length is counted in characters (code points), not UTF-16 units. */
export function IsText(limits: TextLimits, options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isText',
      validator: {
        validate: (value: unknown) => isText(value, limits),
        defaultMessage: () => rule(limits),
      },
    },
    options,
  );
}

function isText(value: unknown, { min, max, notBlank, exact }: TextLimits): boolean {
  if (typeof value !== 'string') return false;
  // Before counting: a code point has at most two units.
  if (value.length > 2 * max) return false;
  const length = value.length > max ? [...value].length : value.length;
  if (length < min || length > max) return false;
  if (notBlank === true && value.trim() === '') return false;
  return exact !== true || (!value.includes('\0') && value.isWellFormed());
}

function rule({ min, max, notBlank, exact }: TextLimits): string {
  const kind = notBlank === true ? 'a text that is not blank' : 'a text';
  const purity = exact === true ? ', valid Unicode without NUL' : '';
  return `must be ${kind}, ${min} to ${max} characters long${purity}`;
}
