import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { newFolder } from './folder.ts';
import { type QueueingApp, synthesizeQueueingApp } from './sqs/queueing-app.ts';

const root = join(import.meta.dirname, '..');
const {
  dependencies,
  exports: entries,
  version,
} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folder = newFolder();
let app: QueueingApp;

/** Installs the packed package into an empty project. Its dependencies are those of this repository. */
beforeAll(() => {
  app = synthesizeQueueingApp();
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: root, stdio: 'pipe' });
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  execFileSync('tar', ['-xzf', join(folder, `local-cdk-stack-${version}.tgz`), '-C', modules]);
  execFileSync('mv', [join(modules, 'package'), join(modules, 'local-cdk-stack')]);
  const here = createRequire(import.meta.filename);
  for (const name of Object.keys(dependencies)) {
    const target = join(
      here.resolve.paths(name)?.find((one) => existsSync(join(one, name, 'package.json'))) ?? '',
      name,
    );
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(target, join(modules, name));
  }
});

const run = (source: string, before: readonly string[] = []): string =>
  execFileSync(process.execPath, [...before, '--input-type=module', '--eval', source], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();

test('every entry can be imported from the packed package', () => {
  for (const entry of Object.keys(entries)) {
    const names = run(`console.log(Object.keys(await import('local-cdk-stack${entry.slice(1)}')).join())`);
    expect(names).toMatch(/start|synthesize/);
  }
});

test('the packed package runs an app', () => {
  const options = { assembly: app.assembly, apiPort: 0, distributionPort: 0, engine: 'sqlite' };
  const answer = run(`
    import { startStack } from 'local-cdk-stack';
    const stack = await startStack({ ...${JSON.stringify(options)}, log: () => undefined });
    console.log(JSON.stringify(await stack.invoke('${app.ids.send}', { MessageBody: 'packed' })));
    await stack.stop();
  `);
  expect(JSON.parse(answer)).toMatchObject({ ok: true, payload: { status: 200 } });
});

test('on an older Node, one line names the version that is needed', () => {
  const older = "data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '22.12.0' })";
  const needed = /22\.13/.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[0];
  const importing = () => run("await import('local-cdk-stack')", ['--import', older]);
  expect(importing).toThrow(`local-cdk-stack needs Node ${needed} or newer; this is 22.12.0`);
  // Node as the user has it may lack names that the package imports, which fails before that line.
  const program = process.env.npm_node_execpath ?? process.execPath;
  const args = ['--input-type=module', '--eval', "await import('local-cdk-stack')"];
  expect(spawnSync(program, args, { cwd: folder, encoding: 'utf8' }).stderr).not.toContain('SyntaxError');
});
