import { describe, expect, it } from '@jest/globals';
import { ChatRequestDto } from './chat-request.dto';
import { requestHash } from './request-hash';

const hashOf = (fields: Record<string, unknown>, purpose = 'use chat') =>
  requestHash(purpose, Object.assign(new ChatRequestDto(), { message: 'hello', ...fields }));

describe('requestHash', () => {
  it('is the same whatever the order of the fields, and however the answer is wanted', () => {
    const first = hashOf({ tool_limits: { a: 1, b: 2 }, session_id: 's', stream: true });
    expect(hashOf({ session_id: 's', tool_limits: { b: 2, a: 1 } })).toBe(first);
    expect(hashOf({ session_id: 's', tool_limits: { b: 2, a: 1 }, stream: false, max_cost: null })).toBe(
      first,
    );
  });

  it('is the same whether a session order is left out or written out', () => {
    expect(hashOf({ multitask_strategy: 'enqueue', on_disconnect: 'continue' })).toBe(hashOf({}));
    expect(hashOf({ multitask_strategy: null, on_disconnect: null })).toBe(hashOf({}));
  });

  it('differs for another message, session, limit, session order or purpose', () => {
    const hashes = [
      hashOf({}),
      hashOf({ message: 'hello ' }),
      hashOf({ session_id: 's' }),
      hashOf({ max_iterations: 3 }),
      hashOf({ max_iterations: 4 }),
      hashOf({ multitask_strategy: 'reject' }),
      hashOf({ multitask_strategy: 'interrupt' }),
      hashOf({ on_disconnect: 'cancel' }),
      hashOf({}, 'use fault injection'),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
