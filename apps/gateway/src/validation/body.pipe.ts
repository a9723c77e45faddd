import { Injectable, type ArgumentMetadata, type PipeTransform, type Type } from '@nestjs/common';
import { validate } from 'class-validator';
import { unprocessable } from '../errors/api-error';
import { isTooDeep, MAX_DEPTH } from './json-depth';
import { violationError } from './violations';

/** Nest's, with the DTO class as what it is. */
interface BodyMetadata extends ArgumentMetadata {
  readonly metatype?: Type<object>;
}

/**
 * Bodies become DTOs or 422. Unknown fields are kept as they came, since the contract allows them; hence no
 * class-transformer, which guesses at classes inside unknown fields and can be made to throw by them.
 */
@Injectable()
export class BodyPipe implements PipeTransform<unknown, Promise<unknown>> {
  async transform(value: unknown, { type, metatype }: BodyMetadata): Promise<unknown> {
    if (type !== 'body' || metatype === undefined) return value;
    const body = value ?? {};
    if (typeof body !== 'object' || Array.isArray(body)) {
      throw unprocessable('The body must be a JSON object');
    }
    if (isTooDeep(body)) throw unprocessable(`The body is nested more than ${MAX_DEPTH} levels deep`);
    const dto = instanceOf(metatype, body);
    const errors = await validate(dto, { stopAtFirstError: true });
    if (errors.length > 0) throw violationError(errors);
    return dto;
  }
}

function instanceOf(metatype: Type<object>, body: object): object {
  const dto = new metatype();
  for (const [key, value] of Object.entries(body)) {
    // `constructor` or `__proto__` from outside would hide the class, and its rules with it.
    if (!(key in Object.prototype)) Reflect.set(dto, key, value);
  }
  return dto;
}
