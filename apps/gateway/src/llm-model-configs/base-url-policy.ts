import { lookup } from 'node:dns/promises';
import { hostIsAllowed, isPrivateAddress } from '@copilot/config';
import { unprocessable } from '../errors/api-error';

/** A name server that is slower than this counts as not knowing the name. */
const LOOKUP_MS = 2_000;

/** The addresses that a name has now; none if it does not resolve. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * Decides which model addresses may be stored. A name that does not resolve passes: it is judged again,
 * with its address of then, whenever the model is called.
 */
export class BaseUrlPolicy {
  constructor(
    private readonly allowedHosts: readonly string[],
    private readonly resolve: Resolve = resolveNow,
  ) {}

  /** Rejects with a 422 that says what to do. The URL itself is not repeated, as it may hold a password. */
  async assertAllowed(baseUrl: string): Promise<void> {
    if (baseUrl === '') return;
    const url = parseUrl(baseUrl);
    if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') {
      throw unprocessable('base_url must be empty or an http or https URL, e.g. https://api.openai.com/v1');
    }
    if (url.username !== '' || url.password !== '') {
      throw unprocessable('base_url must not contain a user name or password; put the key into api_key');
    }
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (hostIsAllowed(host, this.allowedHosts) || !(await this.leadsInside(host))) return;
    throw unprocessable(
      `base_url names the host ${host}, which is or resolves to a loopback, private or otherwise internal address. Use a public host, or have the operator add ${host} to MODEL_ALLOWED_HOSTS.`,
    );
  }

  private async leadsInside(host: string): Promise<boolean> {
    if (isPrivateAddress(host)) return true;
    // Loopback by definition, whatever a name server says.
    if (/(^|\.)localhost\.?$/.test(host)) return true;
    const addresses = await this.resolve(host);
    return addresses.some(isPrivateAddress);
  }
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

async function resolveNow(host: string): Promise<readonly string[]> {
  const slow = new AbortController();
  const none: string[] = [];
  const found = lookup(host, { all: true }).then(
    (addresses) => addresses.map(({ address }) => address),
    () => none,
  );
  const timeout = new Promise<string[]>((resolve) => {
    const timer = setTimeout(() => resolve(none), LOOKUP_MS);
    slow.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  return Promise.race([found, timeout]).finally(() => slow.abort());
}
