const { join } = require('node:path');
const { rspack } = require('@rspack/core');

/**
 * What the Nest builder does not do by itself: files that code reads beside itself (SQL, prompts) are copied
 * beside the bundle, `import.meta.url` keeps meaning the bundle, and one-shot commands get entries of their own.
 */
const APPS = {
  gateway: {
    entries: {
      migrate: 'libs/persistence/src/migrate.command.ts',
      openapi: 'apps/gateway/src/openapi.command.ts',
      token: 'apps/gateway/src/token.command.ts',
      'rotate-secrets': 'libs/persistence/src/secrets/rotate.command.ts',
    },
    files: [{ from: 'libs/persistence/src/migrations', to: 'migrations' }],
  },
  'agent-worker': {
    entries: {},
    files: [{ from: 'apps/agent-worker/src/graph/prompts', to: 'apps/agent-worker/prompts' }],
  },
};

module.exports = (options) => {
  const name = /apps\/([^/]+)\/main\.js$/.exec(options.output.filename)?.[1];
  const { entries, files } = APPS[name] ?? { entries: {}, files: [] };
  const commands = Object.entries(entries).map(([entry, file]) => [entry, join(__dirname, file)]);
  return {
    ...options,
    entry: { [`apps/${name}/main`]: options.entry, ...Object.fromEntries(commands) },
    output: { ...options.output, filename: '[name].js' },
    module: { ...options.module, parser: { javascript: { importMeta: false } } },
    plugins: [
      ...options.plugins,
      ...(files.length > 0 ? [new rspack.CopyRspackPlugin({ patterns: files })] : []),
    ],
  };
};
