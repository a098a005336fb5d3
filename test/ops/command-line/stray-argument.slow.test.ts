import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { UsageError } from '../../../ops/base/operator-error.ts';
import { commands } from '../../../ops/command-line/commands.ts';
import { refuseKeptFlags } from '../../../ops/command-line/stray-argument.ts';

const root = path.join(import.meta.dirname, '../../..');

/** A script's error about flags that npm kept; undefined if it goes on. */
const refusal = (script: string, kept: NodeJS.ProcessEnv) =>
  refuseKeptFlags({ npm_lifecycle_event: script, ...kept }, commands).then(
    () => undefined,
    (error: Error) => (error instanceof UsageError ? error.message : error),
  );

test.each([
  ['start', { npm_config_memory: 'true' }, '--memory', 'npm start --'],
  ['start', { npm_config_api_port: 'true' }, '--api-port', 'npm start --'],
  ['deploy', { npm_config_call: 'stage=prod' }, '-c stage=prod', 'npm run deploy --'],
  ['preflight', { npm_config_region: 'eu' }, '--region=eu', 'npm run preflight --'],
  ['preflight', { npm_config_visits: '5' }, '--visits=5', 'npm run preflight --'],
  ['smoke', { npm_config_stack: 'Links' }, '--stack=Links', 'npm run smoke --'],
  ['conformance', { npm_config_links: 'true' }, '--links', 'npm run conformance --'],
  ['admin', { npm_config_stack: 'Links' }, '--stack=Links', 'npm run -s admin --'],
])('npm run %s stops at a flag that npm kept: %j', async (script, kept, flag, call) => {
  expect(await refusal(script, kept)).toBe(
    `npm didn't pass on the flag ${flag} (put flags after --: ${call} ${flag})`,
  );
});

test('a context key that was given as a flag is an error that shows how to give it', async () => {
  expect(await refusal('deploy', { npm_config_stage: 'prod' })).toBe(
    "npm didn't pass on the flag --stage=prod (put flags after --: npm run deploy -- -c stage=prod)",
  );
});

test("npm's own settings of these names are no flags of ours, and those of other calls aren't either", async () => {
  const calls: readonly (readonly [string, NodeJS.ProcessEnv])[] = [
    // As npx -c 'npm run deploy' leaves them behind, and old versions of npm without any flag.
    ['deploy', { npm_config_call: 'npm run deploy' }],
    ['deploy', { npm_config_call: 'A=1 npm run deploy' }],
    ['deploy', { npm_config_call: '', npm_config_all: '' }],
    ['conformance', { npm_config_key: 'x', npm_config_json: 'true' }],
    ['start', { npm_config_cache: 'x' }],
    ['test', { npm_config_memory: 'true' }],
    ['npx', { npm_config_stack: 'Links' }],
  ];
  for (const [script, kept] of calls)
    expect([script, await refusal(script, kept)]).toEqual([script, undefined]);
  expect(await refusal('deploy', { npm_config_require_approval: 'never' })).toContain(
    '--require-approval=never',
  );
});

test.each([
  ['admin', ['ops/dls.js', 'project', 'list'], { npm_config_stack: 'Links' }],
  ['synth', ['bin/synth.ts'], { npm_config_shortdomain: 'a.b' }],
])('the script %s looks at the environment', (name, call, kept) => {
  const env = { ...process.env, npm_lifecycle_event: name, ...kept };
  const { status, stderr } = spawnSync(process.execPath, call, { cwd: root, env, encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^npm didn't pass on the flag .*\n$/);
});
