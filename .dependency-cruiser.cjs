/** The dependency rule of docs/architecture.md; every breach is an error. */
const PURE = 'contracts|limits|context-budget';
const INFRA = 'redis|observability|config';

/** One home a vendor: only the named folders may import it. */
const home = (vendor, folders) => ({
  name: `home-of-${vendor.replace(/\W+/g, '-')}`,
  severity: 'error',
  comment: `${vendor} is imported only by ${folders}`,
  from: { path: '^(apps|libs)/', pathNot: `^(${folders})` },
  to: { path: `node_modules/(${vendor})/` },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'apps-never-import-each-other',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    { name: 'libs-never-import-apps', severity: 'error', from: { path: '^libs/' }, to: { path: '^apps/' } },
    {
      name: 'libs-by-their-index',
      severity: 'error',
      from: { path: '^(apps|test|bench|scripts)/' },
      to: { path: '^libs/[^/]+/', pathNot: '^libs/[^/]+/src/index\\.ts$' },
    },
    {
      name: 'libs-by-their-index-among-themselves',
      severity: 'error',
      from: { path: '^libs/([^/]+)/' },
      to: { path: '^libs/[^/]+/', pathNot: ['^libs/$1/', '^libs/[^/]+/src/index\\.ts$'] },
    },
    {
      name: 'pure-libs-import-pure-libs-only',
      severity: 'error',
      from: { path: `^libs/(${PURE})/`, pathNot: '\\.spec\\.ts$' },
      to: { path: '^libs/', pathNot: `^libs/(${PURE})/` },
    },
    {
      name: 'pure-libs-import-zod-only',
      severity: 'error',
      from: { path: `^libs/(${PURE})/`, pathNot: '\\.spec\\.ts$' },
      to: { path: 'node_modules/', pathNot: 'node_modules/(zod|js-tiktoken)/' },
    },
    {
      name: 'pure-libs-have-no-io',
      severity: 'error',
      from: { path: `^libs/(${PURE})/`, pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'stores-do-not-import-one-another',
      severity: 'error',
      from: { path: '^libs/(queues|events|persistence|gns3)/' },
      to: { path: '^libs/', pathNot: [`^libs/(${PURE}|${INFRA})/`, '^libs/$1/'] },
    },
    {
      name: 'infra-libs-are-leaves',
      severity: 'error',
      from: { path: `^libs/(${INFRA})/` },
      to: { path: '^libs/', pathNot: [`^libs/(${PURE}|${INFRA})/`] },
    },
    home('bullmq|@nestjs/bullmq', 'libs/queues/'),
    home('ioredis', 'libs/redis/'),
    home('pg|drizzle-orm', 'libs/persistence/'),
    home('js-tiktoken', 'libs/context-budget/'),
    home(
      '@langchain/langgraph|@langchain/langgraph-checkpoint-postgres',
      'apps/agent-worker/src/graph/|libs/persistence/src/checkpointer/',
    ),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
};
