/** Settings of the demo's own processes that the caller's environment does not decide. */
export function demoSettings(env, { nodes, ports }) {
  return {
    ...env,
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

/** Where this machine reaches a gateway that listens on `host`. */
export function gatewayUrl(host, port) {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
