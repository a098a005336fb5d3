import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readFlags } from '../../ops/local/flags.ts';
import { refuseKeptFlags, withFlagsAdvice } from '../../ops/stray-argument.ts';

test('a value whose flag npm kept is an error that shows where flags go', () => {
  expect(() => readFlags(['5'])).toThrow(
    /^Unexpected argument '5' \(flags go behind --: npm start -- --api-port 5\)$/,
  );
});

test('a flag that npm kept is an error; flags of other scripts and npm settings are not', () => {
  const environment = { npm_lifecycle_event: 'start', npm_config_cache: 'x' };
  expect(() => readFlags([], { ...environment, npm_config_memory: 'true' })).toThrow(
    /^npm kept the flag --memory \(flags go behind --: npm start -- --memory\)$/,
  );
  expect(() => readFlags([], { ...environment, npm_config_api_port: 'true' })).toThrow('--api-port');
  expect(readFlags([], environment)).toMatchObject({ memory: false });
  expect(readFlags([], { npm_lifecycle_event: 'test', npm_config_memory: 'true' })).toMatchObject({
    memory: false,
  });
});

const root = path.join(import.meta.dirname, '../..');

test.each([
  ['deploy', 'bin/deploy.ts', { npm_config_call: 'stage=prod' }, '-c stage=prod', '-c stage=prod'],
  ['deploy', 'bin/deploy.ts', { npm_config_stage: 'prod' }, '--stage=prod', '-c stage=prod'],
  ['synth', 'bin/synth.ts', { npm_config_shortdomain: 'a.b' }, '--shortDomain=a.b', '-c shortDomain=a.b'],
  ['preflight', 'bin/preflight.ts', { npm_config_region: 'eu' }, '--region=eu', '--region=eu'],
  ['smoke', 'bin/smoke.ts', { npm_config_stack: 'Links' }, '--stack=Links', '--stack=Links'],
  ['conformance', 'bin/conformance.ts', { npm_config_links: 'true' }, '--links', '--links'],
  ['admin', 'bin/admin.ts', { npm_config_stack: 'Links' }, '--stack=Links', '--stack=Links'],
])('npm run %s stops at a flag that npm kept: %s %j', (...args) => {
  const [name, file, kept, flag, right] = args;
  const env = { ...process.env, npm_lifecycle_event: name, ...kept };
  const { status, stderr } = spawnSync(process.execPath, [file, '--help'], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([
    1,
    `npm kept the flag ${flag} (flags go behind --: npm run ${name} -- ${right})\n`,
  ]);
});

test("npm's own settings of these names are no flags of ours", () => {
  const check = (settings: NodeJS.ProcessEnv) => () =>
    refuseKeptFlags(
      { name: 'deploy', flags: ['context', 'all', 'require-approval'] },
      { npm_lifecycle_event: 'deploy', ...settings },
    );
  // As npx -c 'npm run deploy' leaves them behind, and old versions of npm without any flag.
  expect(check({ npm_config_call: 'npm run deploy' })).not.toThrow();
  expect(check({ npm_config_call: 'A=1 npm run deploy' })).not.toThrow();
  expect(check({ npm_config_call: '', npm_config_all: '' })).not.toThrow();
  expect(check({ npm_config_require_approval: 'never' })).toThrow('--require-approval=never');
});

test.each(["it's. This command does not take positional arguments", 'two\nlines', ''])(
  'the argument %j is shown as it was given',
  (argument) => {
    expect(() => readFlags([argument])).toThrow(`Unexpected argument '${argument}' (flags go behind --: `);
  },
);

test('other faults of flags are errors as they were', () => {
  const parse = (args: string[]) => () => parseArgs({ args, options: { data: { type: 'string' } } });
  expect(() => withFlagsAdvice(parse(['--nonsense']), 'x')).toThrow(/^Unknown option '--nonsense'/);
  expect(() => withFlagsAdvice(parse(['--data']), 'x')).toThrow(/^Option '--data <value>' argument missing/);
  expect(withFlagsAdvice(parse(['--data', 'x']), 'x').values).toEqual({ data: 'x' });
});
