import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** Longer ones are not looked at; a request's headers are limited to 16 KB anyway. */
const MAX_LENGTH = 8_192;

/** The one algorithm. What a token says about it is compared and never obeyed. */
const headerSchema = z.object({ alg: z.literal('HS256') });
const timesSchema = z.looseObject({ exp: z.number(), nbf: z.number().optional() });

/** A JSON Web Token over these claims, signed with HS256 (RFC 7519). Times in it are seconds. */
export function signJwt(claims: object, secret: string): string {
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims].map(encode).join('.');
  return `${signed}.${signatureOf(signed, secret).toString('base64url')}`;
}

/** The claims of a token that is signed with the secret and valid now; nothing for any other text. */
export function verifyJwt(token: string, secret: string, nowMs = Date.now()): unknown {
  if (token.length > MAX_LENGTH) return undefined;
  const [header, payload, signature, ...rest] = token.split('.');
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0) {
    return undefined;
  }
  const expected = signatureOf(`${header}.${payload}`, secret);
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  if (!headerSchema.safeParse(decode(header)).success) return undefined;
  const claims = timesSchema.safeParse(decode(payload));
  if (!claims.success) return undefined;
  const { exp, nbf = 0 } = claims.data;
  const now = nowMs / 1_000;
  return exp > now && nbf <= now ? claims.data : undefined;
}

function signatureOf(text: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(text).digest();
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
