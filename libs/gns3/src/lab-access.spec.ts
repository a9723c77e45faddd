import { describe, expect, it } from '@jest/globals';
import { LabAccess } from './lab-access';

function accessWith(token: string | undefined) {
  return new LabAccess({
    baseUrl: 'http://127.0.0.1:9',
    service: { username: 'admin', password: 'admin' },
    tokenOf: async () => token,
  });
}

describe('LabAccess', () => {
  it('gives runs without a login of their own the one client of the service', async () => {
    const access = accessWith('token');
    const run = { runId: 'r', labLogin: 'service' } as const;
    expect(await access.clientFor(run)).toBe(await access.clientFor({ ...run, runId: 's' }));
  });

  it("gives a caller's run a client of its own", async () => {
    const access = accessWith('token');
    const service = await access.clientFor({ runId: 'r', labLogin: 'service' });
    expect(await access.clientFor({ runId: 'r', labLogin: 'caller' })).not.toBe(service);
  });

  it('never falls back to the service when the token is gone', async () => {
    await expect(accessWith(undefined).clientFor({ runId: 'r', labLogin: 'caller' })).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });
});
