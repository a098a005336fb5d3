const { availableParallelism } = require('node:os');
const path = require('node:path');

require('./test/support/temporary-folder.cjs')();
// Processes and threads of one run load the same files: each is stripped of its types and compiled once.
process.env.NODE_COMPILE_CACHE = path.join(process.env.TMPDIR, 'compiled');
// Rules take most of a synthesis: test/lib/deployments/findings.ts holds every deployment against them, at night.
process.env.CDK_VALIDATION = 'false';

const transformed = {
  testEnvironment: '<rootDir>/test/support/worker-environment.cjs',
  runtime: '<rootDir>/test/support/worker-runtime.cjs',
  transform: { '\\.[cm]?[jt]s$': '<rootDir>/test/support/esbuild-transform.cjs' },
};

/** What needs the synthesized templates. */
const stack = ['test/bin/', 'test/e2e/', 'test/expiry/', 'test/templates'];
/** What needs a DynamoDB engine or takes more than a moment. */
const engine = [
  'test/faults/',
  'test/writes/',
  'test/core/.*-(store|figures|days|list|import|walk|tags)\\.test',
  'test/core/figures/busiest-names',
  'test/core/(projects|keys)/',
  'test/core/pages/qr-code',
  'test/lambdas/(?!json-body)',
  'test/lib/bundles',
  'test/bench/(table|cost)-model',
  'test/client/package',
  'test/ops/(conformance/conformance|stray-argument|upgrade|stores/)',
  'local/test/(assembly|engine|event-source-mapping/(?!queue)|function-url|lambda|package|sqs/stack|stack|table-gateway|table-services|tables)',
];
const filesOf = (patterns) => patterns.map((one) => `${one}.*(?<=\\.test\\.ts)$`);

module.exports = {
  // `jest --selectProjects unit` takes seconds; only the stack's tests synthesize the app first.
  projects: [
    {
      ...transformed,
      displayName: 'unit',
      testMatch: ['<rootDir>/{local/,}test/**/*.test.ts'],
      testPathIgnorePatterns: [...stack, ...engine],
    },
    { ...transformed, displayName: 'engine', testRegex: filesOf(engine) },
    {
      ...transformed,
      displayName: 'stack',
      testRegex: filesOf(stack),
      globalSetup: '<rootDir>/test/support/global-setup.cjs',
      globalTeardown: '<rootDir>/test/support/global-teardown.cjs',
    },
  ],
  reporters: ['default', '<rootDir>/test/support/plain-reporter.cjs'],
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  // Tests wait a fifth of their time, for what they have started, so two cores have work for three workers.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // A bound for what hangs, not for what is slow: machines differ, and some stacks are synthesized first.
  testTimeout: 180_000,
};
