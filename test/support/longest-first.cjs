const Sequencer = require(
  require.resolve('@jest/test-sequencer', { paths: [require.resolve('jest')] }),
).default;

/** Files that take more than a few seconds, the longest first: one that starts late leaves other cores idle. */
const longest = [
  // Early, while the shared table has few items, so that its sweep finds expired ones sooner.
  'test/e2e/webhooks.test.ts',
  // Only at night.
  'test/e2e/webhooks-over-kills.test.ts',
  'test/e2e/console.test.ts',
  'test/e2e/changes.test.ts',
  'test/templates.stack.test.ts',
  'test/e2e/members.test.ts',
  'test/e2e/least-privilege.test.ts',
  'test/e2e/life-cycle.test.ts',
  'test/lambdas/get-analytics.engine.test.ts',
  'test/e2e/entry-points.test.ts',
  'test/e2e/interstitial.test.ts',
  'test/e2e/overflow.test.ts',
  'test/expiry/sweeper.stack.test.ts',
  'test/e2e/sign-in-tries.test.ts',
  'test/faults/clicks.engine.test.ts',
  'test/e2e/largest-data.test.ts',
  'test/e2e/capacity.test.ts',
  'test/e2e/short-urls.test.ts',
  'test/e2e/abuse.test.ts',
  'test/e2e/api-description.test.ts',
  'test/e2e/links-as-code.test.ts',
  'test/e2e/api-model.test.ts',
  'test/e2e/api-rate-limit.test.ts',
  'local/test/sqs/stack.engine.test.ts',
  'test/ops/transfer/transfer-commands.engine.test.ts',
  'test/e2e/api-fuzz.test.ts',
  'test/lambdas/authorize.engine.test.ts',
  'test/ops/transfer/interrupted-import.engine.test.ts',
  'test/ops/transfer/transfer.engine.test.ts',
  'test/e2e/restore.test.ts',
  'test/dev/showcase.engine.test.ts',
];

/** Starts the longest files first, also in a fresh clone, where jest would sort by size. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const placeOf = ({ path }) => {
      const place = longest.findIndex((file) => path.endsWith(file));
      return place < 0 ? longest.length : place;
    };
    return super.sort(tests).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
};
