import { describe, expect, it } from '@jest/globals';
import { isLoopbackName } from './loopback-host';

describe('isLoopbackName', () => {
  it.each(['127.0.0.1', '127.1.2.3', 'localhost', 'LOCALHOST', '::1', '[::1]'])('takes %s', (host) => {
    expect(isLoopbackName(host)).toBe(true);
  });

  it.each(['', 'evil.example', '127.0.0.1.evil.example', '10.0.0.1', 'localhost.evil.example'])(
    'does not take %j',
    (host) => {
      expect(isLoopbackName(host)).toBe(false);
    },
  );
});
