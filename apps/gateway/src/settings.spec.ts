import { parseEnv } from '@copilot/config';
import { describe, expect, it } from '@jest/globals';
import { settingsSchema } from './settings';

const ENV = {
  REDIS_URL: 'redis://localhost:6379',
  DATABASE_URL: 'postgres://localhost/copilot',
  SECRET_KEY: '0123456789abcdef',
  GNS3_URL: 'http://localhost:3080',
};

describe('the settings', () => {
  it('serve on loopback port 3090 unless told otherwise', () => {
    expect(parseEnv(settingsSchema, ENV)).toMatchObject({ HOST: '127.0.0.1', PORT: 3090, AUTH_MODE: 'none' });
  });

  it.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('allow the loopback address %s', (HOST) => {
    expect(parseEnv(settingsSchema, { ...ENV, HOST })).toMatchObject({ HOST });
  });

  it.each(['0.0.0.0', '::', '192.168.1.5', 'lab.example.com', '127.0.0.1.example.com'])(
    'refuse %s, where others could call without a login',
    (HOST) => {
      expect(() => parseEnv(settingsSchema, { ...ENV, HOST })).toThrow(
        /HOST \(".*"\): with AUTH_MODE=none only a loopback address is served/,
      );
    },
  );

  it.each([{ PORT: '65536' }, { PORT: 'http' }, { AUTH_MODE: 'basic' }])('refuse %j', (env) => {
    expect(() => parseEnv(settingsSchema, { ...ENV, ...env })).toThrow(Object.keys(env)[0]);
  });

  it('serve other addresses only where callers have to say who they are', () => {
    const jwt = { AUTH_MODE: 'jwt', JWT_SECRET: 'x'.repeat(32), HOST: '0.0.0.0' };
    expect(parseEnv(settingsSchema, { ...ENV, ...jwt })).toMatchObject({ HOST: '0.0.0.0' });
    expect(parseEnv(settingsSchema, { ...ENV, AUTH_MODE: 'gns3', HOST: '::' })).toMatchObject({ HOST: '::' });
  });

  it.each([undefined, 'x'.repeat(31)])('refuse AUTH_MODE=jwt with the secret %j', (JWT_SECRET) => {
    expect(() => parseEnv(settingsSchema, { ...ENV, AUTH_MODE: 'jwt', JWT_SECRET })).toThrow(
      /JWT_SECRET .*: AUTH_MODE=jwt needs a secret of 32 characters or more/,
    );
  });

  it('take origins of web pages, and nothing else for them', () => {
    const origins = (CORS_ORIGINS: string) => parseEnv(settingsSchema, { ...ENV, CORS_ORIGINS }).CORS_ORIGINS;
    expect(origins('https://a.example, http://b.example:8080')).toEqual([
      'https://a.example',
      'http://b.example:8080',
    ]);
    for (const bad of ['*', 'https://a.example/', 'a.example', 'null']) {
      expect(() => origins(bad)).toThrow(/CORS_ORIGINS .*: must be origins such as/);
    }
  });
});
