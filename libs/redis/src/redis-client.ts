import { parseRedisUrl, type RedisServers } from '@copilot/config';
import { Redis, type Cluster, type ClusterOptions, type RedisOptions } from 'ioredis';
import { steadyCluster } from './steady-cluster';

/** A connection to a server, or to every node of a cluster. Keys of one command must share a slot: `{tag}`. */
export type RedisClient = Redis | Cluster;

export type OnError = (error: Error) => void;

/** One kind of connection, told to ioredis for a server and for a cluster. */
interface Manner {
  readonly server: RedisOptions;
  readonly cluster: ClusterOptions;
}

/** Reconnects for ever, at most 2 s apart: a process outlives a restart of Redis. */
const retryStrategy = (times: number) => Math.min(50 * 2 ** Math.min(times, 6), 2_000);

const CONNECT_TIMEOUT_MS = 3_000;
const COMMAND_TIMEOUT_MS = 3_000;

/**
 * For commands whose caller waits for the answer. Fails within `commandTimeout` instead of queueing while
 * Redis is away, and never sends a command again by itself, so a request that was answered with an error
 * cannot take effect later. On a cluster a command is sent again for a quarter of a second: the connection to a
 * node is made with the first command to it, and those beside it find it not ready.
 */
const FAIL_FAST: Manner = {
  server: {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
  },
  cluster: {
    enableOfflineQueue: false,
    retryDelayOnFailover: 50,
    maxRedirections: 5,
    redisOptions: {
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
    },
  },
};

/** For workers, which wait for as long as it takes: for a node that restarts, and for another in its place. */
const PATIENT: Manner = {
  server: { maxRetriesPerRequest: null },
  cluster: { maxRedirections: Infinity, retryDelayOnMoved: 50, redisOptions: { maxRetriesPerRequest: null } },
};

/** A patient one that only subscribes. ioredis notes a channel anew with every try, so these are few. */
const SUBSCRIBER: Manner = {
  server: PATIENT.server,
  cluster: { ...PATIENT.cluster, shardedSubscribers: true, retryDelayOnFailover: 500 },
};

export function connectFailFast(url: string, onError: OnError): RedisClient {
  return connect(url, FAIL_FAST, onError);
}

export function connectPatient(url: string, onError: OnError): RedisClient {
  return connect(url, PATIENT, onError);
}

export function connectSubscriber(url: string, onError: OnError): RedisClient {
  return connect(url, SUBSCRIBER, onError);
}

function connect(url: string, { server, cluster }: Manner, onError: OnError): RedisClient {
  const servers = parseRedisUrl(url);
  if (servers.kind === 'cluster') return connectCluster(servers, cluster, onError);
  const client = new Redis(servers.url, { retryStrategy, connectTimeout: CONNECT_TIMEOUT_MS, ...server });
  client.on('error', onError);
  return client;
}

type ClusterServers = Extract<RedisServers, { kind: 'cluster' }>;

function connectCluster(
  { nodes, tls, username, password, nat }: ClusterServers,
  { redisOptions, ...options }: ClusterOptions,
  onError: OnError,
): RedisClient {
  const client = steadyCluster([...nodes], {
    clusterRetryStrategy: retryStrategy,
    // A name is looked up with each connection, and TLS compares it with the certificate.
    dnsLookup: (host, callback) => callback(null, host),
    natMap: nat,
    ...options,
    redisOptions: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
      ...(tls ? { tls: {} } : {}),
      ...redisOptions,
    },
  });
  client.on('error', onError);
  // A node that is away is tried ten times a second; as with a single server, one line in 2 s is enough.
  client.on('node error', atMostEvery(2_000, onError));
  return client;
}

function atMostEvery(intervalMs: number, onError: OnError): OnError {
  let last = -Infinity;
  return (error) => {
    if (performance.now() - last < intervalMs) return;
    last = performance.now();
    onError(error);
  };
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
