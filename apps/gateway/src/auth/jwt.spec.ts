import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { signJwt, verifyJwt } from './jwt';

const SECRET = 'a secret of more than thirty-two characters';
const NOW = Date.UTC(2026, 0, 1);
const exp = NOW / 1_000 + 60;
const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function signedBy(header: unknown, claims: unknown, secret = SECRET): string {
  const text = `${b64(header)}.${b64(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

describe('verifyJwt', () => {
  it('gives the claims of a token that is signed with the secret', () => {
    expect(verifyJwt(signJwt({ sub: 'u', exp }, SECRET), SECRET, NOW)).toEqual({ sub: 'u', exp });
  });

  it('does not mind the order of the fields in a header', () => {
    const token = `${b64({ typ: 'JWT', alg: 'HS256' })}.${b64({ sub: 'u', exp })}`;
    const signature = createHmac('sha256', SECRET).update(token).digest('base64url');
    expect(verifyJwt(`${token}.${signature}`, SECRET, NOW)).toMatchObject({ sub: 'u' });
  });

  it.each([
    ['another secret', signJwt({ sub: 'u', exp }, `${SECRET}!`)],
    ['an expired token', signJwt({ sub: 'u', exp: NOW / 1_000 }, SECRET)],
    ['a token without an end', signJwt({ sub: 'u' }, SECRET)],
    ['an end that is no number', signJwt({ sub: 'u', exp: String(exp) }, SECRET)],
    ['a token that is not valid yet', signJwt({ sub: 'u', exp, nbf: NOW / 1_000 + 1 }, SECRET)],
    ['no algorithm', signedBy({ alg: 'none' }, { sub: 'u', exp })],
    ['another algorithm', signedBy({ alg: 'HS512' }, { sub: 'u', exp })],
    ['no signature', `${b64({ alg: 'none' })}.${b64({ sub: 'u', exp })}.`],
    ['a signature cut short', signJwt({ sub: 'u', exp }, SECRET).slice(0, -4)],
    [
      'a changed claim',
      signJwt({ sub: 'u', exp }, SECRET).replace(/\.[^.]+\./, `.${b64({ sub: 'v', exp })}.`),
    ],
    ['a fourth part', `${signJwt({ sub: 'u', exp }, SECRET)}.x`],
    ['claims that are no object', signedBy({ alg: 'HS256' }, 'a text')],
    ['a very long text', 'x'.repeat(100_000)],
    ['nothing', ''],
  ])('refuses %s', (_what, token) => {
    expect(verifyJwt(token, SECRET, NOW)).toBeUndefined();
  });
});
