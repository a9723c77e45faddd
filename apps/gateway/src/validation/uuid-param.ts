import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { unprocessable } from '../errors/api-error';
import { shortened } from './violations';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

class UuidPipe implements PipeTransform<string, string> {
  constructor(private readonly name: string) {}

  transform(value: string): string {
    if (!UUID.test(value)) throw unprocessable(`${this.name} must be a UUID, got ${shortened(value)}`);
    return value.toLowerCase();
  }
}

/** A path parameter that is a UUID, of any version; anything else is a 422. */
export const UuidParam = (name: string) => Param(name, new UuidPipe(name));

/** Its description for the API document. */
export const ApiUuidParam = (name: string) => ApiParam({ name, schema: { type: 'string', format: 'uuid' } });
