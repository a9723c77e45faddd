export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** What REDIS_URL names: one server, by its URL, or the cluster that these nodes belong to. */
export type RedisServers =
  | { readonly kind: 'server'; readonly url: string }
  | {
      readonly kind: 'cluster';
      /** Some of its nodes; the others are learned from them. */
      readonly nodes: readonly HostPort[];
      readonly tls: boolean;
      readonly username: string | undefined;
      readonly password: string | undefined;
      /** Where a node that announces itself as `host:port` can be reached from here. */
      readonly nat: Readonly<Record<string, HostPort>>;
    };

/** The message says what is wrong with a REDIS_URL, and never repeats its password. */
export class RedisUrlError extends Error {
  override readonly name = 'RedisUrlError';
}

const DEFAULT_PORT = 6379;
const LOOKS_LIKE = 'must look like redis://host:6379, or for a cluster redis://host-a:6379,host-b:6379';
/** No URL names several hosts, so the parts come apart by hand: scheme, user and password, hosts, path, query. */
const PARTS = /^(rediss?):\/\/(?:([^/?#]*)@)?([^/?#@]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/;

/**
 * Several hosts, or `?cluster=true` after a single one, mean a cluster:
 * `redis[s]://[user:password@]host[:port][,host[:port]...][?cluster=true][&nat=announced/reachable[,...]]`.
 */
export function parseRedisUrl(text: string): RedisServers {
  const [, scheme, credentials, hosts, path = '', query] = PARTS.exec(text) ?? [];
  if (scheme === undefined || hosts === undefined) throw new RedisUrlError(LOOKS_LIKE);
  const parameters = new URLSearchParams(query);
  if (!hosts.includes(',') && parameters.get('cluster') !== 'true') {
    if (!URL.canParse(text)) throw new RedisUrlError(LOOKS_LIKE);
    return { kind: 'server', url: text };
  }
  if (!['', '0'].includes(path)) {
    throw new RedisUrlError(`names database ${path}, but a cluster has database 0 only: leave it out`);
  }
  for (const name of parameters.keys()) {
    if (name === 'cluster' || name === 'nat') continue;
    throw new RedisUrlError(`has the parameter ${name}, but a cluster takes only cluster and nat`);
  }
  return {
    kind: 'cluster',
    nodes: hosts.split(',').map(hostPort),
    tls: scheme === 'rediss',
    ...loginOf(credentials),
    nat: Object.fromEntries(parameters.getAll('nat').flatMap((pairs) => pairs.split(',').map(natPair))),
  };
}

function loginOf(credentials = ''): { username: string | undefined; password: string | undefined } {
  const colon = credentials.indexOf(':');
  const [username, password] =
    colon < 0 ? [credentials, ''] : [credentials.slice(0, colon), credentials.slice(colon + 1)];
  try {
    return {
      username: decodeURIComponent(username) || undefined,
      password: decodeURIComponent(password) || undefined,
    };
  } catch {
    throw new RedisUrlError('has a user or password with a % that begins no character: write it as %25');
  }
}

function natPair(pair: string): [announced: string, reachable: HostPort] {
  const [announced, reachable, ...more] = pair.split('/');
  if (announced === undefined || reachable === undefined || more.length > 0) {
    throw new RedisUrlError(`has nat=${pair}, which must look like 10.0.0.1:6379/redis.example.com:7001`);
  }
  const from = hostPort(announced);
  return [`${from.host}:${from.port}`, hostPort(reachable)];
}

function hostPort(text: string): HostPort {
  // A scheme of the web, for which hosts and ports are checked.
  const url = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : undefined;
  if (!url || url.pathname !== '/' || url.username !== '') {
    throw new RedisUrlError(`names ${JSON.stringify(text)}, which is no host:port`);
  }
  const port = /:(\d+)$/.exec(text)?.[1];
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: port === undefined ? DEFAULT_PORT : Number(port),
  };
}
