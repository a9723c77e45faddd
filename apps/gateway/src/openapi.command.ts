import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { apiDocument } from './http/api-docs';
import { createPreview } from './http/preview';

/** `node dist/openapi.js` writes docs/openapi.json; with `--check` it only says whether that file is up to date. */
const FILE = 'docs/openapi.json';

const document = `${JSON.stringify(apiDocument(await createPreview()), null, 2)}\n`;
if (!process.argv.includes('--check')) {
  await writeFile(FILE, document);
  console.log(`${FILE} is written.`);
} else if ((await readFile(FILE, 'utf8').catch(() => '')) !== document) {
  console.error(
    `${FILE} does not describe the API any more. Write it anew: npm run build && npm run openapi`,
  );
  process.exitCode = 1;
}
