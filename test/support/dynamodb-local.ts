import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { takeNothing } from '../../ops/script.ts';

takeNothing(
  'test:dynamodb-local',
  "Runs the tests about the table on AWS's own engine; needs Java 17 or newer.",
);

/** Runs the table's tests on AWS's own engine, too, so that no test depends on one engine's quirks. */
const suites = [
  'test/core/(links|clicks|projects|table)',
  'test/faults',
  'test/expiry',
  'local/test/event-source',
];

/** Java says its version on standard error: `openjdk version "17.0.15"`. */
const javaVersion = (): number => {
  const { stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  return Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0);
};

if (javaVersion() < 17) {
  console.error('DynamoDB Local needs Java 17 or newer on the PATH.');
  process.exit(1);
}

const { status } = spawnSync(
  process.execPath,
  [path.join('node_modules', 'jest', 'bin', 'jest.js'), ...suites],
  {
    stdio: 'inherit',
    // Every suite's engine is a separate Java process.
    env: { FAULT_SCHEDULES: '50', ...process.env, TEST_ENGINE: 'dynamodb-local' },
  },
);
process.exit(status ?? 1);
