import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: './libs/persistence/src/schema.ts',
  out: './libs/persistence/src/migrations',
});
