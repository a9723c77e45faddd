/**
 * The address of the server's `/v3` API without a trailing slash. People write it in every way:
 * `http://lab:3080`, `http://lab:3080/`, `http://lab:3080/v3/`; all mean the same.
 */
export function apiBase(baseUrl: string): string {
  const url = new URL(baseUrl);
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v3$/, '');
  return `${url.origin}${path}/v3`;
}
