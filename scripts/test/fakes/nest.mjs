/** Stands for the build: copies the fake apps to where the real ones would be. */
import { copyFileSync, mkdirSync } from 'node:fs';

const fakes = process.env.LAUNCHER_TEST_FAKES;
for (const app of ['gateway', 'agent-worker', 'tool-worker', 'demo']) {
  mkdirSync(`dist/apps/${app}`, { recursive: true });
  copyFileSync(`${fakes}/app.mjs`, `dist/apps/${app}/main.js`);
}
copyFileSync(`${fakes}/migrate.mjs`, 'dist/migrate.js');
