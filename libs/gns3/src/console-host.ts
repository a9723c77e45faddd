import type { Gns3Compute, Gns3Node } from './schemas';

/** Addresses that mean "this machine" or "every interface": of no use from another machine. */
const LOCAL_HOST = /^(|localhost|127(\.\d+){3}|0\.0\.0\.0|::1?|0(:0){7}|0(:0){6}:1)$/i;

function isLocal(host: string | null | undefined): boolean {
  return LOCAL_HOST.test((host ?? '').replace(/^\[|\]$/g, ''));
}

/** A node on a remote compute whose console address only makes sense there. */
export function needsComputes(node: Gns3Node): boolean {
  return isLocal(node.console_host) && (node.compute_id ?? 'local') !== 'local';
}

/**
 * The host on which a node's console listens, as seen from here: its own address where that is a real one,
 * else its compute's, else the server's.
 */
export function consoleHost(node: Gns3Node, serverHost: string, computes: readonly Gns3Compute[]): string {
  if (!isLocal(node.console_host)) return node.console_host ?? serverHost;
  const compute = computes.find(({ compute_id }) => compute_id === node.compute_id)?.host;
  const host = needsComputes(node) && !isLocal(compute) ? (compute ?? serverHost) : serverHost;
  return host.replace(/^\[|\]$/g, '');
}
