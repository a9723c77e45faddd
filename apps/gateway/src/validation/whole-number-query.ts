import { Query, type PipeTransform } from '@nestjs/common';
import { unprocessable } from '../errors/api-error';
import { shortened } from './violations';

interface Range {
  readonly min: number;
  readonly max: number;
  readonly byDefault: number;
}

class WholeNumberPipe implements PipeTransform<unknown, number> {
  constructor(
    private readonly name: string,
    private readonly range: Range,
  ) {}

  transform(value: unknown): number {
    const { min, max, byDefault } = this.range;
    if (value === undefined) return byDefault;
    const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : NaN;
    if (number >= min && number <= max) return number;
    throw unprocessable(`${this.name} must be a whole number from ${min} to ${max}, got ${shortened(value)}`);
  }
}

/** A query parameter that is a whole number; anything else is a 422. */
export const WholeNumberQuery = (name: string, range: Range) => Query(name, new WholeNumberPipe(name, range));
