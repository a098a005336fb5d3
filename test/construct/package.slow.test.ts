import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { DynamicLinkStack } from '../../lib/stack.ts';
import { withoutTraces } from '../support/deployment.ts';
import { root } from '../support/source-files.ts';

/* The package in an app like the one of `cdk init app --language typescript`, without this repository and esbuild. */

const app = mkdtempSync(path.join(tmpdir(), 'own-app-'));
afterAll(() => rmSync(app, { recursive: true }));
const installed = path.join(app, 'node_modules/dynamic-link-cdk');
const { context } = JSON.parse(readFileSync(path.join(root, 'cdk.json'), 'utf8'));
const env = { account: '123456789012', region: 'eu-central-1' };
const settings = {
  stage: 'prod',
  alarmEmail: 'ops@example.com',
  signIn: 'https://id.example.com',
  signInClient: 'links',
  signInSecret: 'links-sign-in',
  consoleName: 'Acme',
  rateLimitPerHour: 5000,
  abuseContact: 'mailto:abuse@example.com',
} as const;

const source = `
import { App, Stack, Stage } from 'aws-cdk-lib';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as sns from 'aws-cdk-lib/aws-sns';
import { DynamicLinkStack, type StageSettings } from 'dynamic-link-cdk';

const app = new App();
const env = ${JSON.stringify(env)};
const settings: StageSettings = ${JSON.stringify(settings)};
new DynamicLinkStack(app, 'DynamicLinks-prod', { env, settings });
const own = new Stack(app, 'Own', { env });
const links = new DynamicLinkStack(app, 'Second', {
  env,
  stackName: 'acme-links',
  alarmTopic: new sns.Topic(own, 'Topic'),
  encryptionKey: new kms.Key(own, 'Key'),
  alarms: { ApiErrors: { actions: 'none' } },
});
links.functions.redirect.addEnvironment('TEAM', 'growth');
const other = { ...env, account: '210987654321' };
new DynamicLinkStack(new Stage(app, 'Other', { env: other }), 'Links', { stage: 'prod' }, {});
app.synth();
`;

const compilerOptions = {
  ...{
    target: 'ES2022',
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    lib: ['es2022'],
    declaration: true,
  },
  ...{ strict: true, noImplicitReturns: true, inlineSourceMap: true, experimentalDecorators: true },
  ...{ strictPropertyInitialization: false, skipLibCheck: false, types: ['node'], outDir: 'out' },
};

const run = (args: readonly string[], environment = {}) =>
  execFileSync(process.execPath, args, { cwd: app, stdio: 'pipe', env: { ...process.env, ...environment } });

const link = (name: string, to = path.join(root, 'node_modules', name)): void => {
  mkdirSync(path.dirname(path.join(app, 'node_modules', name)), { recursive: true });
  symlinkSync(to, path.join(app, 'node_modules', name));
};

beforeAll(() => {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', app], {
    cwd: path.join(root, 'construct'),
    stdio: 'pipe',
  });
  mkdirSync(installed, { recursive: true });
  const [file = ''] = readdirSync(app).filter((name) => name.endsWith('.tgz'));
  execFileSync('tar', ['xzf', path.join(app, file), '-C', installed, '--strip-components', '1']);
  for (const name of ['aws-cdk-lib', 'constructs', '@types/node']) link(name);
  writeFileSync(path.join(app, 'app.ts'), source);
  writeFileSync(path.join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['app.ts'] }));
});

/** Without what the template says of assets. */
const withoutAssets = (template: unknown): unknown =>
  JSON.parse(
    JSON.stringify(template, (key, value) => (key.startsWith('aws:asset:') ? undefined : value)).replaceAll(
      /[0-9a-f]{64}/g,
      'HASH',
    ),
  );

const own = () => {
  const traces = withoutTraces();
  try {
    const ours = new App({ treeMetadata: false, context });
    new DynamicLinkStack(ours, 'DynamicLinks-prod', settings, { env });
    return ours.synth().stacks;
  } finally {
    traces.restore();
  }
};

test('it compiles strictly, and its templates equal those of this repository', () => {
  const compiler = createRequire(path.join(root, 'client/build.js')).resolve('typescript/bin/tsc');
  run([compiler]);
  run(['out/app.js'], { CDK_CONTEXT_JSON: JSON.stringify(context), CDK_OUTDIR: 'cdk.out' });
  const read = (file: string) => JSON.parse(readFileSync(path.join(app, 'cdk.out', file), 'utf8'));
  for (const { templateFile, template } of own())
    expect(withoutAssets(read(templateFile))).toEqual(withoutAssets(template));
  expect(Object.values(read('Second.template.json').Resources).length).toBeGreaterThan(200);
  expect(readdirSync(path.join(app, 'cdk.out/assembly-Other')).join()).toMatch(
    /OtherLinks\w*\.template\.json/,
  );
});

test('an older aws-cdk-lib fails the import with one sentence', () => {
  const older = path.join(app, 'older/node_modules');
  mkdirSync(path.join(older, 'aws-cdk-lib'), { recursive: true });
  writeFileSync(path.join(older, 'aws-cdk-lib/package.json'), '{"version":"2.275.9"}');
  symlinkSync(installed, path.join(older, 'dynamic-link-cdk'));
  const script = `try { require('${older}/dynamic-link-cdk') } catch (error) { console.log(error.message) }`;
  const message = run(['--preserve-symlinks', '-e', script]).toString();
  expect(message).toBe('dynamic-link-cdk needs aws-cdk-lib 2.276.0 or newer, and this app has 2.275.9.\n');
});
