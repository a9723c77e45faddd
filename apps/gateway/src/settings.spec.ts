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

  it.each([{ PORT: '65536' }, { PORT: 'http' }, { AUTH_MODE: 'jwt' }])('refuse %j', (env) => {
    expect(() => parseEnv(settingsSchema, { ...ENV, ...env })).toThrow(Object.keys(env)[0]);
  });
});
