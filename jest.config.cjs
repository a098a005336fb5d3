const { availableParallelism, totalmem } = require('node:os');
const path = require('node:path');

require('./test/support/temporary-folder.cjs')();
const cache = path.join(__dirname, 'node_modules/.cache');
// Processes, threads and later runs load the same files: each is stripped of its types and compiled once.
process.env.NODE_COMPILE_CACHE = path.join(cache, 'compiled');
// Rules take most of a synthesis: test/lib/deployments/findings.ts holds every deployment against them, at night.
process.env.CDK_VALIDATION = 'false';

const transformed = {
  testEnvironment: '<rootDir>/test/support/worker-environment.cjs',
  runtime: '<rootDir>/test/support/worker-runtime.cjs',
  transform: { '\\.[cm]?[jt]s$': '<rootDir>/test/support/esbuild-transform.cjs' },
};

module.exports = {
  // A file's name says what it costs: an engine, a stack, or more than a moment without either. All others take seconds together.
  projects: [
    {
      ...transformed,
      displayName: 'unit',
      testMatch: ['<rootDir>/{local/,}test/**/*.test.ts'],
      testPathIgnorePatterns: ['\\.(engine|slow|stack)\\.test', '/test/e2e/'],
    },
    {
      ...transformed,
      displayName: 'engine',
      testMatch: ['<rootDir>/{local/,}test/**/*.{engine,slow}.test.ts'],
    },
    {
      ...transformed,
      displayName: 'stack',
      testMatch: ['<rootDir>/test/e2e/*.test.ts', '<rootDir>/test/**/*.stack.test.ts'],
      // Only these need the app synthesized.
      globalSetup: '<rootDir>/test/support/global-setup.cjs',
      globalTeardown: '<rootDir>/test/support/global-teardown.cjs',
    },
  ],
  // Outlasts the run, unlike the folder of temporary files.
  cacheDirectory: path.join(cache, 'jest'),
  reporters: ['default', '<rootDir>/test/support/plain-reporter.cjs'],
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  // Tests wait a third of their time, for what they have started, so two cores have work for four workers of a gigabyte each.
  maxWorkers: Math.max(1, Math.min(availableParallelism() * 2, Math.floor(totalmem() / 2 ** 31))),
  // Workers have nothing open at their end, but a busy system needs more than half a second to take a gigabyte back.
  workerGracefulExitTimeout: 10_000,
  // A bound for what hangs, not for what is slow: machines differ, and some stacks are synthesized first.
  testTimeout: 300_000,
};
