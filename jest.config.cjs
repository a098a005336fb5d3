// Packages that ship only as ES modules; jest runs CommonJS, so these are transformed like our own sources.
const esmOnly = ['@middy', 'nanoid', 'parse5', 'entities', 'qr', 'openapi-fetch'];

module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  globalSetup: '<rootDir>/test/support/global-setup.cjs',
  testMatch: ['**/*.test.ts'],
  transform: { '\\.[cm]?[jt]s$': '<rootDir>/test/support/esbuild-transform.cjs' },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  reporters: ['default', '<rootDir>/test/support/plain-reporter.cjs'],
  // By default jest leaves one core idle, which is every second one of a small machine.
  maxWorkers: '100%',
  // A bound for what hangs, not for what is slow: machines differ, and some stacks are synthesized first.
  testTimeout: 180_000,
};
