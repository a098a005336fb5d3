import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { chosenNames } from './arguments.ts';

interface Part {
  readonly about: string;
  readonly command: readonly string[];
  /** Settings; those of the environment win, so that FAULT_SEED repeats one schedule. */
  readonly settings?: Readonly<Record<string, string>>;
}

const root = path.join(import.meta.dirname, '..');
const node = (...args: string[]) => [process.execPath, ...args];
const jest = (...patterns: string[]) =>
  node(path.join('node_modules', 'jest', 'bin', 'jest.js'), ...patterns);

/** Some ten minutes' worth. */
const schedules = 500;
/** Each night has its own schedules, so ten nights have run 5,000 of them. */
const firstSeed = Math.floor(Date.now() / 86_400_000) * schedules;

const parts: Readonly<Record<string, Part>> = {
  tests: {
    about: 'every test, with what npm test leaves out',
    command: jest(),
    settings: { NIGHTLY: '1' },
  },
  faults: {
    about: `${schedules.toLocaleString('en-US')} schedules of faults, from FAULT_SEED=N on`,
    command: jest('test/faults'),
    settings: { FAULT_SCHEDULES: String(schedules), FAULT_SEED: String(firstSeed) },
  },
  'slow-calls': {
    about: 'browser tests with calls delayed by up to 800 ms',
    command: jest('test/e2e/(console|members|qr-style|history)', '--testNamePattern=browser|consoles'),
    settings: { SLOW_CALLS: '800' },
  },
  'power-cuts': {
    about: 'power cuts of the local engine, from WRITES_SEED on',
    command: jest('local/test/engine/power-cut'),
    settings: { WRITES_TIMES: '20', WRITES_SEED: String(firstSeed) },
  },
  fuzz: {
    about: '10,000 requests made from the OpenAPI description',
    command: jest('test/e2e/api-fuzz'),
    settings: { FUZZ_RUNS: '10000' },
  },
  differential: {
    about: "calls against AWS's engine, from JUDGE_SEED on; needs Java 17",
    command: jest('test/engine/differential'),
    settings: { JUDGE_CALLS: '10000', JUDGE_SEED: String(Math.floor(firstSeed / schedules)) },
  },
  'dynamodb-local': {
    about: "tests of the table on AWS's own engine; needs Java 17",
    command: jest(
      // Without tests that count capacity units, which differ between engines.
      'test/core/(links|visits|analytics/(?!many-shards)|projects|table)',
      'test/faults',
      'test/expiry',
      'local/test/event-source-mapping',
    ),
    // The engine of every file is a Java process.
    settings: { TEST_ENGINE: 'dev/dynamodb-local.ts', FAULT_SCHEDULES: '20' },
  },
  'lint-template': {
    about: "templates in AWS's linter; needs Python 3",
    command: node('bin/lint-template.ts'),
  },
  spectral: {
    about: "openapi.json by Spectral's rules; npx installs it",
    command: [
      'npx',
      '--yes',
      '--package=@stoplight/spectral-cli@6.16.3',
      'spectral',
      'lint',
      'docs/openapi.json',
      '--ruleset=test/support/spectral.yaml',
      '--fail-severity=hint',
    ],
  },
  'deploy-emulated': {
    about: 'a deployment onto an emulator of AWS; needs ministack',
    command: node('bin/deploy-emulated.ts'),
  },
  sbom: {
    about: 'the list of packages (CycloneDX) on standard output',
    command: [
      'npm',
      'sbom',
      '--sbom-format',
      'cyclonedx',
      '--sbom-type',
      'application',
      '--package-lock-only',
    ],
  },
  bench: {
    about: 'redirects and capacity',
    command: node('bench/run.ts', 'redirects', 'capacity'),
  },
};

const names = Object.keys(parts);
const width = Math.max(...names.map(({ length }) => length));
const lines = Object.entries(parts).map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}`);
const chosen = chosenNames(
  names,
  `Usage: npm run nightly -- [NAME …]

What takes too long for each push. Runs all of these, or those named:
${lines.join('\n')}`,
);

// Names and outcomes stay out of a part's output, which may be used separately.
const outcomes: string[] = [];
for (const name of chosen) {
  const { about, command: [program = '', ...args] = [], settings } = parts[name] as Part;
  console.error(`\n${name}: ${about}`);
  const begun = performance.now();
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...settings, ...process.env },
  });
  if (error) console.error(error.message);
  const seconds = Math.round((performance.now() - begun) / 1000);
  outcomes.push(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name}, ${seconds} s`);
  if (status !== 0) process.exitCode = 1;
}
console.error(`\n${outcomes.join('\n')}`);
