import { randomBytes } from 'node:crypto';
import { connect } from '@copilot/persistence';

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const { pool } = connect(serverUrl, () => undefined, 1);
  try {
    await pool.query(statement);
  } finally {
    await pool.end();
  }
}

/** A new empty database on the server of `serverUrl`; its URL. */
export async function createDatabase(serverUrl: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

export async function dropDatabase(serverUrl: string, url: string): Promise<void> {
  await onServer(serverUrl, `DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
}
