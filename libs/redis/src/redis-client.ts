import { ServiceRefusedError } from '@copilot/config';
import { errorChain } from '@copilot/contracts';
import { Redis, type RedisOptions } from 'ioredis';

export type RedisClient = Redis;

type OnError = (error: Error) => void;

/** Reconnects for ever, at most 2 s apart: a process outlives a restart of Redis. */
const retryStrategy = (times: number) => Math.min(50 * 2 ** Math.min(times, 6), 2_000);

/**
 * For commands whose caller waits for the answer. Fails within `commandTimeout` instead of queueing while
 * Redis is away, and never sends a command again by itself, so a request that was answered with an error
 * cannot take effect later.
 */
const FAIL_FAST: RedisOptions = {
  retryStrategy,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  commandTimeout: 3_000,
  connectTimeout: 3_000,
};

/** For workers and subscribers, which wait for as long as it takes. */
const PATIENT: RedisOptions = { retryStrategy, maxRetriesPerRequest: null, connectTimeout: 3_000 };

function connect(url: string, options: RedisOptions, onError: OnError): RedisClient {
  const client = new Redis(url, options);
  client.on('error', onError);
  return client;
}

export function connectFailFast(url: string, onError: OnError): RedisClient {
  return connect(url, FAIL_FAST, onError);
}

export function connectPatient(url: string, onError: OnError): RedisClient {
  return connect(url, PATIENT, onError);
}

/** Resolves when the client can take commands; rejects after `timeoutMs` with the last error seen. */
export async function waitUntilReady(client: RedisClient, timeoutMs: number): Promise<void> {
  if (client.status === 'ready') return;
  await new Promise<void>((resolve, reject) => {
    let last: Error | undefined;
    const onReady = () => settle(resolve);
    const onError = (error: Error) => (last = error);
    const timer = setTimeout(
      () => settle(() => reject(last ?? new Error(`Redis gave no answer within ${timeoutMs} ms`))),
      timeoutMs,
    );
    const settle = (done: () => void) => {
      clearTimeout(timer);
      client.off('ready', onReady);
      client.off('error', onError);
      done();
    };
    client.on('ready', onReady);
    client.on('error', onError);
  });
}

/** A Redis that drops keys under memory pressure loses jobs and locks; only `noeviction` is safe. */
export async function evictionPolicy(client: RedisClient): Promise<string> {
  const info = await client.info('memory');
  return /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'unknown';
}

const CONNECTION_ERRORS =
  /Connection is closed|Command timed out|enableOfflineQueue|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|LOADING|READONLY|max retries per request|MASTERDOWN|OOM command not allowed/i;

/** Redis is away or not able to serve for now; the same command may work later. */
export function isRedisUnavailable(error: unknown): boolean {
  for (const { name, message } of errorChain(error)) {
    if (CONNECTION_ERRORS.test(`${name} ${message}`)) return true;
  }
  return false;
}

/** Resolves when Redis answers and keeps what it is given. Rejects with ServiceRefusedError if it evicts. */
export async function checkRedis(client: RedisClient): Promise<void> {
  await waitUntilReady(client, 3_000);
  const policy = await evictionPolicy(client);
  if (policy === 'noeviction') return;
  throw new ServiceRefusedError(
    `Redis has maxmemory-policy ${policy} and would drop jobs and locks under memory pressure. Set it to noeviction: redis-cli CONFIG SET maxmemory-policy noeviction (and in redis.conf).`,
  );
}
