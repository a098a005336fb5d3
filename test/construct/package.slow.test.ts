import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { DynamicLinkStack } from '../../lib/stack.ts';
import { withoutTraces } from '../support/deployment.ts';
import { newFolder } from '../support/folder.ts';
import { describeAtNight, testAtNight } from '../support/nightly.ts';
import { root, textOf } from '../support/source-files.ts';

/* The package in an app of `cdk init app --language typescript`. */

const { peerDependencies: peers, version } = JSON.parse(textOf('construct/package.json'));
/** The oldest version of a peer that the package accepts. */
const floorOf = (peer: string): string => peers[peer].replace(/^>=(\S+) .*/, '$1');
const { context } = JSON.parse(textOf('cdk.json'));

const folder = newFolder();
const app = path.join(folder, 'own-app');
const modules = path.join(root, 'node_modules');

/** Runs a program in an app, without this repository's modules. */
const inFolder = (cwd: string, program: string, ...args: string[]): string => {
  const foreign = (process.env.PATH ?? '').split(path.delimiter).filter((one) => !one.startsWith(root));
  const PATH = [path.dirname(process.execPath), ...foreign].join(path.delimiter);
  // The runner's own settings of Node and npm aren't the app's.
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(NODE_(?!EXTRA)|npm_(?!config_)|CDK_|JEST_)/.test(name),
  );
  const env = { ...Object.fromEntries(kept), PATH };
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe', env });
};

test('an older aws-cdk-lib fails the import with one sentence', () => {
  const older = path.join(folder, 'older/node_modules');
  mkdirSync(path.join(older, 'aws-cdk-lib'), { recursive: true });
  const [major = '', minor = ''] = floorOf('aws-cdk-lib').split('.');
  const below = `${major}.${Number(minor) - 1}.9`;
  writeFileSync(path.join(older, 'aws-cdk-lib/package.json'), JSON.stringify({ version: below }));
  symlinkSync(path.join(root, 'construct'), path.join(older, 'dynamic-link-cdk'));
  const script = `try { require('${older}/dynamic-link-cdk') } catch (error) { console.log(error.message) }`;
  const message = inFolder(folder, process.execPath, '--preserve-symlinks', '-e', script);
  expect(message).toBe(
    `dynamic-link-cdk needs aws-cdk-lib ${floorOf('aws-cdk-lib')} or newer, and this app has ${below}.\n`,
  );
});

testAtNight('its types compile strictly, without skipLibCheck', () => {
  const strict = path.join(folder, 'strict');
  mkdirSync(path.join(strict, 'node_modules/@types'), { recursive: true });
  for (const name of ['aws-cdk-lib', 'constructs', '@types/node'])
    symlinkSync(path.join(modules, name), path.join(strict, 'node_modules', name));
  const installed = path.join(strict, 'node_modules/dynamic-link-cdk');
  mkdirSync(installed);
  for (const file of ['package.json', 'index.d.ts', 'lists.d.ts'])
    copyFileSync(path.join(root, 'construct', file), path.join(installed, file));
  copyFileSync(path.join(import.meta.dirname, 'app/own-app.ts'), path.join(strict, 'own-app.ts'));
  const flags = ['--strict', '--noEmit', '--skipLibCheck', 'false', '--types', 'node'];
  const target = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022'];
  const compiler = path.join(modules, 'typescript/bin/tsc');
  expect(inFolder(strict, process.execPath, compiler, ...flags, ...target, 'own-app.ts')).toBe('');
});

describeAtNight('installed into the app', () => {
  const name = path.basename(app);

  const install = (...packages: string[]) =>
    inFolder(app, 'npm', 'install', '--no-audit', '--no-fund', ...packages);

  /** Synthesizes a way to use the service with the CDK's own program. Returns its assembly. */
  const synthesize = (way: string, where = app): string => {
    const output = path.join(where, `cdk.out-${way}`);
    // What the program adds to each template.
    const plain = ['--no-version-reporting', '--no-path-metadata', '--no-asset-metadata'];
    const flags = ['--quiet', '--no-notices', ...plain, '-c', `way=${way}`, '--output', output];
    inFolder(where, 'npx', 'cdk', 'synth', ...flags);
    return output;
  };
  const templatesIn = (assembly: string): Record<string, { Resources: object; Outputs: object }> =>
    Object.fromEntries(
      readdirSync(assembly, { recursive: true })
        .map(String)
        .filter((file) => file.endsWith('.template.json'))
        .map((file) => [
          path.basename(file, '.template.json'),
          JSON.parse(readFileSync(path.join(assembly, file), 'utf8')),
        ]),
    );

  beforeAll(() => {
    mkdirSync(app);
    inFolder(
      app,
      process.execPath,
      path.join(modules, 'aws-cdk/bin/cdk'),
      'init',
      'app',
      '--language',
      'typescript',
      '--generate-only',
    );
    copyFileSync(path.join(import.meta.dirname, 'app/own-app.ts'), path.join(app, `bin/${name}.ts`));
    copyFileSync(
      path.join(import.meta.dirname, 'app/own-app.jest.ts'),
      path.join(app, `test/${name}.test.ts`),
    );
    rmSync(path.join(app, `lib/${name}-stack.ts`));
    execFileSync('npm', ['pack', '--workspace', 'construct', '--pack-destination', folder], {
      cwd: root,
      stdio: 'pipe',
    });
    install(
      `${folder}/dynamic-link-cdk-${version}.tgz`,
      ...['aws-cdk-lib', 'constructs'].map((peer) => `${peer}@${floorOf(peer)}`),
    );
  });

  const check = () => {
    inFolder(app, 'npm', 'run', 'build');
    inFolder(app, 'npm', 'test');
  };

  test('the app compiles, and its tests pass', check);

  test('templates equal those of this repository', () => {
    const flags = JSON.parse(readFileSync(path.join(app, 'cdk.json'), 'utf8'));
    const ofInit = JSON.stringify(flags);
    writeFileSync(path.join(app, 'cdk.json'), JSON.stringify({ ...flags, context }));
    const alone = templatesIn(synthesize('alone'));
    const earlier = templatesIn(synthesize('earlier'));
    writeFileSync(path.join(app, 'cdk.json'), ofInit);
    expect(earlier).toEqual(alone);
    const ours = ownTemplates();
    expect(Object.keys(alone).sort()).toEqual(Object.keys(ours).sort());
    for (const [stack, template] of Object.entries(ours))
      expect(withoutAssets(alone[stack])).toEqual(withoutAssets(template));
  });

  test('a second installation makes the same assembly', () => {
    const second = path.join(folder, 'elsewhere/own-app');
    cpSync(app, second, { recursive: true, verbatimSymlinks: true });
    const [one, other] = [app, second].map((where) => synthesize('twice', where));
    expect(templatesIn(other ?? '')).toEqual(templatesIn(one ?? ''));
    const assets = [one, other].map((assembly = '') =>
      readdirSync(assembly).filter((file) => file.startsWith('asset.')),
    );
    expect(assets[0]?.length).toBeGreaterThan(20);
    expect(assets[1]).toEqual(assets[0]);
  });

  test('it works in a Stage for another account, with its own resources, and under a name', () => {
    const staged = templatesIn(synthesize('staged'));
    expect(Object.keys(staged).map((id) => id.replace(/[0-9A-F]{8}$/, ''))).toEqual(
      expect.arrayContaining(['PipelineLinks']),
    );
    expect(JSON.stringify(staged)).toContain('210987654321');
    const own = templatesIn(synthesize('own'));
    expect(Object.keys(own).sort()).toEqual(['Links', 'Own']);
    expect(JSON.stringify(own.Links?.Outputs)).toContain('LinksTable');
    const policies = JSON.stringify(own.Own?.Resources);
    expect(policies).toContain('kms:ViaService');
    const resources: { Type: string }[] = Object.values(own.Links?.Resources ?? {});
    expect(resources.filter(({ Type }) => Type === 'AWS::SNS::Topic')).toEqual([]);
  });

  test('the newest aws-cdk-lib works as well', () => {
    install('aws-cdk-lib@latest', 'constructs@latest');
    check();
    expect(Object.keys(templatesIn(synthesize('alone'))).length).toBe(3);
  });
});

/** Without what the template says of assets. */
const withoutAssets = (template: unknown): unknown =>
  JSON.parse(
    JSON.stringify(template, (key, value) => (key.startsWith('aws:asset:') ? undefined : value)).replaceAll(
      /[0-9a-f]{64}/g,
      'HASH',
    ),
  );

const ownTemplates = (): Record<string, unknown> => {
  const traces = withoutTraces();
  try {
    const ours = new App({ treeMetadata: false, context });
    const settings = {
      ...{ stage: 'prod', alarmEmail: 'ops@example.com', signIn: 'https://id.example.com' },
      ...{ signInClient: 'links', signInSecret: 'links-sign-in', consoleName: 'Acme' },
      ...{ rateLimitPerHour: 5000, abuseContact: 'mailto:abuse@example.com' },
    };
    new DynamicLinkStack(ours, 'DynamicLinks-prod', {
      settings,
      env: { account: '123456789012', region: 'eu-central-1' },
    });
    return Object.fromEntries(ours.synth().stacks.map(({ id, template }) => [id, template]));
  } finally {
    traces.restore();
  }
};
