import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { LOCAL_USER_ID } from '@copilot/contracts';
import { migrate } from '@copilot/persistence';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, dropDatabase } from '../support/database';
import { freePort } from '../support/free-port';
import '../support/slow-tests';
import { Child } from './support/child';
import { collect, openStream } from './support/sse-client';
import { post } from './support/stack';

const SERVER = process.env.DATABASE_URL ?? '';
const PROJECT = '7f0c8a52-1111-4222-8333-944455556666';

let databaseUrl: string;
let child: Child | undefined;

beforeAll(async () => {
  databaseUrl = await createDatabase(SERVER);
  await migrate(databaseUrl);
});

afterEach(() => child?.stop());

afterAll(() => dropDatabase(SERVER, databaseUrl));

function startGateway(env: Record<string, string>): Child {
  child = new Child('gateway', 'dist/apps/gateway/main.js', {
    REDIS_URL: process.env.REDIS_URL ?? '',
    DATABASE_URL: databaseUrl,
    // Nobody is there: a message is accepted all the same, and its run would say so.
    GNS3_URL: 'http://127.0.0.1:1',
    SECRET_KEY: 'e2e-secret-key-0123456789',
    ...env,
  });
  return child;
}

/** The line with which a gateway that cannot start says why; it must have ended by then. */
async function refusalOf(gateway: Child): Promise<string> {
  const line = await gateway.line('cannot start');
  expect(await gateway.exitCode()).toBe(1);
  return line;
}

describe('the gateway', () => {
  it('does not start on a port that is taken, and says which', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = String(address !== null && typeof address === 'object' ? address.port : 0);
    const line = await refusalOf(startGateway({ PORT: port }));
    other.close();
    expect(line).toContain(`port ${port} of 127.0.0.1 is taken`);
  });

  it('does not serve others than this machine without a login', async () => {
    const line = await refusalOf(startGateway({ HOST: '0.0.0.0' }));
    expect(line).toContain('with AUTH_MODE=none only a loopback address is served');
  });

  it('E12: ends within 5 s of SIGTERM with 20 open streams, which all end in order', async () => {
    const port = String(await freePort());
    const gateway = startGateway({ PORT: port });
    await gateway.line('gateway ready');
    const url = `http://127.0.0.1:${port}/v3`;
    const config = {
      name: 'm',
      model_type: 'text',
      provider: 'openai',
      base_url: '',
      model: 'm',
      context_limit: 8,
    };
    await fetch(`${url}/users/${LOCAL_USER_ID}/llm-model-configs`, post(config));
    const streams = await Promise.all(
      Array.from({ length: 20 }, () =>
        openStream(`${url}/projects/${PROJECT}/chat/stream`, post({ message: 'hi' })),
      ),
    );
    const firsts = await Promise.all(streams.map(({ frames }) => frames.next()));
    expect(firsts.map(({ value }) => value?.data.type)).toEqual(Array.from({ length: 20 }, () => 'run'));
    const began = performance.now();
    await gateway.stop('SIGTERM', 5_000);
    expect(performance.now() - began).toBeLessThan(5_000);
    for (const { frames } of streams) expect(await collect(frames)).toEqual([]);
  });

  it('is described by docs/openapi.json', async () => {
    await expect(
      promisify(execFile)(process.execPath, ['dist/openapi.js', '--check']),
    ).resolves.toBeDefined();
  });
});
