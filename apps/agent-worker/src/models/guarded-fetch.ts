import { lookup } from 'node:dns';
import { hostIsAllowed, isPrivateAddress } from '@copilot/config';
import { RunError } from '@copilot/contracts';
import { Agent, fetch as undiciFetch, type RequestInit as UndiciRequestInit } from 'undici';

/** Time to the first byte; a model may think for minutes before it streams. */
const HEADERS_TIMEOUT_MS = 300_000;
/** Silence within a stream. */
const BODY_TIMEOUT_MS = 120_000;

/**
 * A `fetch` that reaches only what the operator allows: public addresses, and the hosts of
 * MODEL_ALLOWED_HOSTS. The address is judged as the connection is made, so neither a name that was changed
 * since the config was saved nor a redirect can lead to an internal service.
 */
export function guardedFetch(allowedHosts: readonly string[]): typeof fetch {
  const guarded = new Agent({
    headersTimeout: HEADERS_TIMEOUT_MS,
    bodyTimeout: BODY_TIMEOUT_MS,
    connect: {
      timeout: 10_000,
      lookup: (hostname, options, callback) => {
        lookup(hostname, { ...options, all: true }, (error, addresses) => {
          if (error) return callback(error, '', 4);
          const refused = addresses.find(({ address }) => isPrivateAddress(address));
          if (refused) return callback(notAllowed(hostname), '', 4);
          const [first] = addresses;
          if (options.all || !first) return callback(null, addresses);
          callback(null, first.address, first.family);
        });
      },
    },
  });
  const open = new Agent({ headersTimeout: HEADERS_TIMEOUT_MS, bodyTimeout: BODY_TIMEOUT_MS });

  const guardedFetchImplementation = async (input: string | URL | Request, init?: UndiciRequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const listed = hostIsAllowed(host, allowedHosts);
    // A literal address is never looked up, so it is judged here.
    if (!listed && isPrivateAddress(host)) throw notAllowed(host);
    return undiciFetch(url, {
      ...init,
      redirect: 'error',
      dispatcher: listed ? open : guarded,
    });
  };
  return guardedFetchImplementation as unknown as typeof fetch;
}

function notAllowed(host: string): RunError {
  return new RunError(
    'model_address_not_allowed',
    `The model's base_url leads to ${host}, a loopback or private address. Ask the operator to add the host to MODEL_ALLOWED_HOSTS, or use a public address.`,
  );
}
