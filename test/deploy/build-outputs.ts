import { createRequire } from 'node:module';
import { jest } from '@jest/globals';
import { z } from 'zod';
import { readJson } from './checkout';

/** Keeps what it is given, which is all that is asked about it here; the real package is an ES module. */
class RecordedPlugin {
  constructor(readonly options: unknown) {}
}
jest.mock('@rspack/core', () => ({ rspack: { CopyRspackPlugin: RecordedPlugin } }));

const { projects } = z
  .object({ projects: z.record(z.string(), z.object({ entryFile: z.string() })) })
  .parse(readJson('nest-cli.json'));

const bundleSchema = z.object({
  entry: z.record(z.string(), z.string()),
  plugins: z.array(z.object({ options: z.object({ patterns: z.array(z.object({ to: z.string() })) }) })),
});

const requireModule = createRequire(import.meta.url);
const makeConfig = z
  .custom<(options: object) => unknown>((value) => typeof value === 'function')
  .parse(requireModule('../../rspack.config.cjs'));

export const APPS = Object.keys(projects);

/** What `nest build --all` puts into dist: bundles, and files that they read. */
export const BUILD_OUTPUTS = Object.entries(projects).map(([app, { entryFile }]) => {
  const config = makeConfig({
    entry: `apps/${app}/src/${entryFile}.ts`,
    output: { filename: `apps/${app}/${entryFile}.js` },
    module: {},
    plugins: [],
  });
  const { entry, plugins } = bundleSchema.parse(config);
  return {
    bundles: Object.keys(entry).map((name) => `dist/${name}.js`),
    files: plugins.flatMap(({ options }) => options.patterns.map(({ to }) => `dist/${to}`)),
  };
});
