/**
 * Projects: unit has no I/O, integration has real Redis and Postgres, e2e starts every process, and peers starts
 * programs that are not ours beside them (`npm run test:peers` fetches those).
 */
const shared = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2022',
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  moduleNameMapper: { '^@copilot/(.*)$': '<rootDir>/libs/$1/src/index.ts' },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};

export default {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/{apps,libs,bench,test}/**/*.spec.ts'],
      testPathIgnorePatterns: ['\\.(int|e2e)-spec\\.ts$', '/node_modules/'],
    },
    {
      ...shared,
      displayName: 'integration',
      testMatch: ['<rootDir>/{apps,libs,test}/**/*.int-spec.ts'],
      setupFiles: ['<rootDir>/test/support/own-redis-database.ts'],
      setupFilesAfterEnv: ['<rootDir>/test/support/slow-tests.ts'],
    },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/{e2e,contract}/**/*.e2e-spec.ts'],
      setupFiles: ['<rootDir>/test/support/own-redis-database.ts'],
      setupFilesAfterEnv: ['<rootDir>/test/support/slow-tests.ts'],
    },
    {
      ...shared,
      displayName: 'peers',
      testMatch: ['<rootDir>/test/{contract,peers}/**/*.peer-spec.ts'],
      setupFiles: ['<rootDir>/test/support/own-redis-database.ts'],
      setupFilesAfterEnv: ['<rootDir>/test/support/slow-tests.ts'],
    },
  ],
};
