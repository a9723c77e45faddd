import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestGateway } from '../testing/test-gateway';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await TestGateway.start();
});

afterAll(() => gateway.stop());

async function statusFor(host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(`${gateway.url}/health/live`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

describe('a gateway without authentication', () => {
  it('serves this machine under its loopback names only', async () => {
    expect(await statusFor('localhost:3090')).toBe(200);
    expect(await statusFor('127.0.0.1:3090')).toBe(200);
    expect(await statusFor('rebound.example:3090')).toBe(403);
  });
});
