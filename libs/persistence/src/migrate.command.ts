import { migrate } from './migrate';

/** `node dist/migrate.js`: brings the database of DATABASE_URL up to date and ends. */
const url = process.env.DATABASE_URL;
if (!url) {
  console.error(
    'DATABASE_URL is not set: give the Postgres to migrate, as postgres://user:password@host:5432/database',
  );
  process.exit(1);
}
try {
  await migrate(url);
  console.log('The database is up to date.');
} catch (error) {
  console.error(
    `The database could not be migrated: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exit(1);
}
