import type { Pool, PoolClient } from 'pg';
import { CLAIM_CHECK_SQL, ClaimLostError, type Claim } from '../claim';

/**
 * A pool whose transactions begin with the check that `claim` still holds. LangGraph's saver opens its own
 * transactions, so this is how a checkpoint of a worker that lost its run is refused in the very
 * transaction that would have written it.
 */
export function fencedPool(pool: Pool, claim: Claim): Pool {
  const connect = async (): Promise<PoolClient> => fenced(await pool.connect(), claim);
  return new Proxy(pool, {
    get: (target, property) => (property === 'connect' ? connect : bound(target, property)),
  });
}

function fenced(client: PoolClient, claim: Claim): PoolClient {
  const query = async (text: string, values?: unknown[]) => {
    const result = await client.query(text, values);
    if (text === 'BEGIN') {
      const found = await client.query(CLAIM_CHECK_SQL, [claim.runId, claim.attempt]);
      if (found.rowCount === 0) throw new ClaimLostError(claim);
    }
    return result;
  };
  return new Proxy(client, {
    get: (target, property) => (property === 'query' ? query : bound(target, property)),
  });
}

function bound<T extends object>(target: T, property: string | symbol): unknown {
  const value: unknown = Reflect.get(target, property);
  return typeof value === 'function' ? value.bind(target) : value;
}
