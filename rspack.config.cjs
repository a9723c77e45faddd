const { builtinModules } = require('node:module');
const { join } = require('node:path');
const { rspack } = require('@rspack/core');

/**
 * What the Nest builder does not do by itself: packages are bundled too, which more than halves the time that a
 * process takes to start; files that code reads beside itself (SQL, prompts) are copied beside the bundle,
 * `import.meta.url` keeps meaning the bundle, and one-shot commands get entries of their own.
 */
const APPS = {
  gateway: {
    entries: {
      migrate: 'libs/persistence/src/migrate.command.ts',
      openapi: 'apps/gateway/src/openapi.command.ts',
      token: 'apps/gateway/src/token.command.ts',
      'rotate-secrets': 'libs/persistence/src/secrets/rotate.command.ts',
    },
    files: [
      { from: 'libs/persistence/src/migrations', to: 'migrations' },
      { from: 'libs/model-request/src/prompts', to: 'apps/gateway/prompts' },
    ],
  },
  'agent-worker': {
    entries: {},
    files: [{ from: 'libs/model-request/src/prompts', to: 'apps/agent-worker/prompts' }],
  },
};

/** Packages that read files beside themselves, and what Nest and others look for but do not need. */
const NOT_BUNDLED =
  /^(swagger-ui-dist|@bull-board\/|pg-native|@nestjs\/(microservices|websockets)|class-transformer\/storage|@fastify\/|bufferutil|utf-8-validate)/;

function externals({ request, dependencyType }, callback) {
  if (!request.startsWith('node:') && !builtinModules.includes(request) && !NOT_BUNDLED.test(request)) {
    return callback();
  }
  callback(null, `${dependencyType === 'commonjs' ? 'node-commonjs' : 'module'} ${request}`);
}

module.exports = (options) => {
  const name = /apps\/([^/]+)\/main\.js$/.exec(options.output.filename)?.[1];
  const { entries, files } = APPS[name] ?? { entries: {}, files: [] };
  const commands = Object.entries(entries).map(([entry, file]) => [entry, join(__dirname, file)]);
  return {
    ...options,
    entry: { [`apps/${name}/main`]: options.entry, ...Object.fromEntries(commands) },
    output: { ...options.output, filename: '[name].js', chunkFilename: `apps/${name}/[name].chunk.js` },
    // Names and lines for stack traces; with the sources in it a map takes half a second to read.
    devtool: 'nosources-source-map',
    externals,
    module: { ...options.module, parser: { javascript: { importMeta: false } } },
    plugins: [
      ...options.plugins,
      ...(files.length > 0 ? [new rspack.CopyRspackPlugin({ patterns: files })] : []),
    ],
  };
};
