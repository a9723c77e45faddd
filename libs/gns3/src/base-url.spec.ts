import { describe, expect, it } from '@jest/globals';
import { apiBase } from './base-url';

describe('base URL', () => {
  it.each(['http://lab:3080', 'http://lab:3080/', 'http://lab:3080/v3', 'http://lab:3080/v3/'])(
    'takes %s',
    (url) => {
      expect(apiBase(url)).toBe('http://lab:3080/v3');
    },
  );

  it('keeps the path of a reverse proxy', () => {
    expect(apiBase('https://example.org/gns3/v3/')).toBe('https://example.org/gns3/v3');
  });
});
