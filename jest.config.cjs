// Packages that ship only as ES modules; jest runs CommonJS, so these are transformed like our own sources.
const esmOnly = ['@middy', 'nanoid', 'parse5', 'entities', 'qr', 'openapi-fetch'];

module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  transform: { '\\.[cm]?[jt]s$': '<rootDir>/test/support/esbuild-transform.cjs' },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  reporters: ['default', '<rootDir>/test/support/plain-reporter.cjs'],
  testTimeout: 30_000,
};
