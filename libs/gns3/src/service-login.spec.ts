import { describe, expect, it, jest } from '@jest/globals';
import { Gns3Error } from './gns3-error';
import { ServiceLogin } from './service-login';

describe('service login', () => {
  it('H1: makes one login for all that need a token at once', async () => {
    const login = jest.fn(async () => 'new');
    const service = new ServiceLogin(login);
    await expect(Promise.all(Array.from({ length: 5 }, () => service.token('old')))).resolves.toEqual(
      Array.from({ length: 5 }, () => 'new'),
    );
    expect(login).toHaveBeenCalledTimes(1);
  });

  it('H1: gives the renewed token to a call that learns of the expiry late', async () => {
    const login = jest
      .fn<() => Promise<string>>()
      .mockResolvedValueOnce('first')
      .mockResolvedValueOnce('second');
    const service = new ServiceLogin(login);
    const first = await service.token();
    await expect(service.token(first)).resolves.toBe('second');
    await expect(service.token(first)).resolves.toBe('second');
    expect(login).toHaveBeenCalledTimes(2);
  });

  it('H1: does not repeat a login with a refused password until some time has passed', async () => {
    let nowMs = 0;
    const login = jest.fn(async (): Promise<string> => {
      throw new Gns3Error('unauthorized', 'wrong');
    });
    const service = new ServiceLogin(login, () => nowMs);
    await expect(service.token()).rejects.toThrow('wrong');
    await expect(service.token()).rejects.toThrow('wrong');
    expect(login).toHaveBeenCalledTimes(1);
    nowMs = 10_000;
    await expect(service.token()).rejects.toThrow('wrong');
    expect(login).toHaveBeenCalledTimes(2);
  });

  it('tries again at once after a failure that was not a refusal', async () => {
    const login = jest
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(new Error('away'))
      .mockResolvedValue('token');
    const service = new ServiceLogin(login);
    await expect(service.token()).rejects.toThrow('away');
    await expect(service.token()).resolves.toBe('token');
  });
});
