/** Settings of the demo's own processes that the caller's environment does not decide. */
export function demoSettings(env, { nodes, ports }) {
  return {
    ...env,
    // Whatever the gateway listens on: the demo lab takes everybody's word and is for this machine only.
    HOST: '127.0.0.1',
    DEMO_GNS3_PORT: String(ports?.gns3 ?? 0),
    DEMO_MODEL_PORT: String(ports?.model ?? 0),
    ...(nodes !== undefined && { DEMO_NODES: String(nodes) }),
  };
}

/**
 * The environment of gateway and workers: what the caller set wins over these defaults; only where the
 * launcher decided with the caller's wishes in hand (port, services) is its result final.
 */
export function productSettings(env, { port, services, secretKey, demo }) {
  const defaults = {
    HOST: '127.0.0.1',
    AUTH_MODE: 'none',
    SECRET_KEY: secretKey,
    ...(demo && {
      GNS3_URL: demo.gns3Url,
      GNS3_USERNAME: 'admin',
      GNS3_PASSWORD: 'admin',
      MODEL_ALLOWED_HOSTS: '127.0.0.1',
    }),
  };
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  return { ...defaults, ...given, ...services, PORT: String(port) };
}

const QUIETER_THAN_INFO = new Set(['warn', 'error', 'fatal', 'silent']);

/**
 * The workers say at level info that they are ready, and the launcher must hear it: it asks for that level and
 * leaves out what the caller did not want to see when it prints the lines.
 */
export const audible = (env) => (QUIETER_THAN_INFO.has(env.LOG_LEVEL) ? { ...env, LOG_LEVEL: 'info' } : env);

/** Where this machine reaches a gateway that listens on `host`. */
export function gatewayUrl(host, port) {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
