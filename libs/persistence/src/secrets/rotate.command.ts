import { commonSettings, parseEnv } from '@copilot/config';
import { z } from 'zod';
import { connect } from '../database';
import { SecretBox } from '../secret-box';
import { rotateSecrets } from './rotate-secrets';

/**
 * `npm run secrets:rotate`: seals every stored secret with the first key of SECRET_KEY, so that the others can
 * be taken out of it. Ends with 1 if there are secrets that none of the keys opens; it names them.
 */
const settingsSchema = z.object({
  DATABASE_URL: commonSettings.DATABASE_URL,
  SECRET_KEY: commonSettings.SECRET_KEY,
});

async function main(): Promise<void> {
  const { DATABASE_URL, SECRET_KEY } = parseEnv(settingsSchema, process.env);
  const connection = connect(DATABASE_URL, () => undefined, 1);
  try {
    for (const count of await rotateSecrets(connection, new SecretBox(SECRET_KEY))) {
      const { table, column, resealed, current, unreadable } = count;
      console.log(
        `${table}.${column}: ${resealed} sealed anew, ${current} were so already, ${unreadable.length} unreadable`,
      );
      for (const key of unreadable) console.log(`  unreadable, to be entered again: ${key}`);
      if (unreadable.length > 0) process.exitCode = 1;
    }
  } finally {
    await connection.pool.end();
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
