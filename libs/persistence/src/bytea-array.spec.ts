import { describe, expect, it } from '@jest/globals';
import { parseByteaArray } from './bytea-array';

const texts = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(texts) : Buffer.isBuffer(value) ? value.toString() : value;

describe('parseByteaArray', () => {
  it('reads an array of texts, of nothing and of NULL', () => {
    expect(texts(parseByteaArray('{"\\\\x6162",NULL,"\\\\x"}'))).toEqual(['ab', null, '']);
    expect(parseByteaArray('{}')).toEqual([]);
  });

  it('reads arrays of arrays', () => {
    expect(texts(parseByteaArray('{{"\\\\x61","\\\\x62",NULL},{"\\\\x63","\\\\x64","\\\\x65"}}'))).toEqual([
      ['a', 'b', null],
      ['c', 'd', 'e'],
    ]);
  });
});
