import ipaddr from 'ipaddr.js';

/** Azure's host agent answers here with a machine's secrets; it is the one such address in public space. */
const AZURE_HOST_AGENT = '168.63.129.16';

/**
 * Whether `text` is an IP address that must not be reached on a stranger's word: anything but globally
 * routed unicast, so loopback, private, link-local (cloud metadata), unspecified and multicast alike, also
 * when written as an IPv4 address inside an IPv6 one. False for a name.
 */
export function isPrivateAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv6 && address.range() === 'rfc6052') {
    // NAT64: where the network speaks IPv6 only, every IPv4 host is reached by such an address.
    return isPrivateAddress(new ipaddr.IPv4(address.toByteArray().slice(12)).toString());
  }
  return address.range() !== 'unicast' || address.toString() === AZURE_HOST_AGENT;
}

/** Whether the operator listed the host, compared as written; IPv6 addresses with or without brackets. */
export function hostIsAllowed(host: string, allowed: readonly string[]): boolean {
  const wanted = withoutBrackets(host);
  return allowed.some((entry) => withoutBrackets(entry) === wanted);
}

function withoutBrackets(host: string): string {
  return host.toLowerCase().replace(/^\[|\]$/g, '');
}
