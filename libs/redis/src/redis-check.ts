import { ServiceRefusedError } from '@copilot/config';
import { errorChain } from '@copilot/contracts';
import { Cluster } from 'ioredis';
import { waitUntilReady, type RedisClient } from './redis-client';

/**
 * A Redis that drops keys under memory pressure loses jobs and locks; only `noeviction` is safe. Of a cluster,
 * the policy of a node that has another one, if any.
 */
export async function evictionPolicy(client: RedisClient): Promise<string> {
  const policies = await Promise.all(
    masters(client).map(async (server) => {
      return /^maxmemory_policy:(\S+)/m.exec(await server.info('memory'))?.[1] ?? 'unknown';
    }),
  );
  return policies.find((policy) => policy !== 'noeviction') ?? policies[0] ?? 'unknown';
}

/** Resolves when Redis answers and keeps what it is given. Rejects with ServiceRefusedError if it cannot be used. */
export async function checkRedis(client: RedisClient): Promise<void> {
  await waitUntilReady(client, 3_000).catch(refuseWithoutCluster);
  await refuseNodeAlone(client);
  const policy = await evictionPolicy(client);
  if (policy === 'noeviction') return;
  throw new ServiceRefusedError(
    `Redis has maxmemory-policy ${policy} and would drop jobs and locks under memory pressure. Set it to noeviction: redis-cli CONFIG SET maxmemory-policy noeviction (and in redis.conf).`,
  );
}

function masters(client: RedisClient) {
  return client instanceof Cluster ? client.nodes('master') : [client];
}

/** A node answers for its own slots only, and with MOVED for all others. */
async function refuseNodeAlone(client: RedisClient): Promise<void> {
  if (client instanceof Cluster || !/^cluster_enabled:1/m.test(await client.info('cluster'))) return;
  throw new ServiceRefusedError(
    'REDIS_URL names a node of a Redis Cluster as if it were alone. Name several nodes, redis://host-a:6379,host-b:6379, or add ?cluster=true to the one.',
  );
}

function refuseWithoutCluster(error: unknown): never {
  const { lastNodeError } = error as { lastNodeError?: Error };
  if (!lastNodeError?.message.includes('cluster support disabled')) throw lastNodeError ?? error;
  throw new ServiceRefusedError(
    'REDIS_URL names a cluster, but the server is none. Name that one server alone: redis://host:6379.',
  );
}

const CONNECTION_ERRORS =
  /Connection is closed|Command timed out|enableOfflineQueue|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|LOADING|READONLY|max retries per request|MASTERDOWN|OOM command not allowed|CLUSTERDOWN|TRYAGAIN|Too many Cluster redirections|Failed to refresh slots cache|None of startup nodes|Cluster is ended/i;

/** Redis is away or not able to serve for now; the same command may work later. */
export function isRedisUnavailable(error: unknown): boolean {
  for (const { name, message } of errorChain(error)) {
    if (CONNECTION_ERRORS.test(`${name} ${message}`)) return true;
  }
  return false;
}
