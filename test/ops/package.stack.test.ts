import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '../support/folder.ts';
import { describeAtNight } from '../support/nightly.ts';
import { root } from '../support/source-files.ts';
import { sharedStack } from '../support/stack-fixtures.ts';

/* Packing builds the package, which takes longer than a test of each push may. */

const folder = newFolder();
const installed = path.join(folder, 'node_modules/dynamic-link-ops');

/** Node as it runs here and as the user has it. */
const runtimes = [...new Set([process.execPath, process.env.npm_node_execpath ?? process.execPath])];

describeAtNight('dynamic-link-ops, installed into an empty folder', () => {
  const stack = sharedStack();

  beforeAll(() => {
    execFileSync('npm', ['pack', '--workspace', 'ops', '--pack-destination', folder], {
      cwd: root,
      stdio: 'pipe',
    });
    writeFileSync(path.join(folder, 'package.json'), '{}');
    const [tarball = ''] = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], {
      cwd: folder,
      stdio: 'pipe',
    });
  });

  const env = { PATH: process.env.PATH, HOME: folder, AWS_EC2_METADATA_DISABLED: 'true' };
  const dls = (runtime: string, ...args: string[]) => {
    const program = path.join(folder, 'node_modules/.bin/dls');
    const { status, stdout, stderr } = spawnSync(runtime, [program, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env,
    });
    return { status, stdout, stderr };
  };

  test('it has no dependencies, and names the licences of what it contains', () => {
    const names = readdirSync(path.join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(names).toEqual(['dynamic-link-ops']);
    expect(readFileSync(path.join(installed, 'dist/LICENSES.txt'), 'utf8')).not.toContain('aws-cdk-lib');
    const licences = readFileSync(path.join(installed, 'dist/LICENSES.txt'), 'utf8');
    for (const name of ['@aws-sdk/client-sts', 'commander', 'preact', 'zod'])
      expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });

  describe.each(runtimes)('on %s', (runtime) => {
    test('shows its version and help', () => {
      const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
      expect(dls(runtime, '--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
      expect(dls(runtime, '--help').stdout).toContain('project create');
    });

    test.each([['start'], ['deploy', '-c', 'stage=prod']])('%s names where it is', (command, ...args) => {
      const { status, stderr } = dls(runtime, command, ...args);
      expect([status, stderr]).toEqual([
        1,
        `'${command}' needs the repository of dynamic-link-service: clone it, run 'npm ci' and use 'npx dls ${command}' there\n`,
      ]);
    });

    test('reads and changes a running stack', () => {
      const project = `packed-${runtimes.indexOf(runtime)}`;
      expect(dls(runtime, 'project', 'create', project, '--name', 'P', '--data', stack.data).status).toBe(0);
      const listed = dls(runtime, 'link', 'list', '--project', project, '--data', stack.data, '--json');
      expect([listed.status, listed.stderr, JSON.parse(listed.stdout)]).toEqual([0, '0 of 0\n', []]);
    });

    test.each(['--json', '--standby'])('estimates costs as the repository does, with %s', (option) => {
      const args = ['cost', '--visits', '1000000', option];
      const here = execFileSync(process.execPath, ['ops/dls.js', ...args], { cwd: root, encoding: 'utf8' });
      expect(dls(runtime, ...args).stdout).toBe(here);
    });

    test('preflight needs no CDK', () => {
      const place = ['--stack', 'acme-links', '--region', 'eu-west-1', '--profile', 'nobody'];
      const { status, stdout } = dls(runtime, 'preflight', ...place, '-c', 'stage=prod', '--json');
      expect([status, JSON.parse(stdout)]).toEqual([
        1,
        [expect.objectContaining({ name: 'identity', says: expect.stringContaining("'nobody'") })],
      ]);
    });

    test('smoke succeeds', () => {
      const { status, stdout } = dls(runtime, 'smoke', '--json', '--data', stack.data);
      const failed = JSON.parse(stdout).filter(({ result }: { result: string }) => result === 'failed');
      expect([status, failed]).toEqual([0, []]);
    });
  });

  test("serves the operators' console", async () => {
    const args = [path.join(folder, 'node_modules/.bin/dls'), 'console', '--port', '0', '--data', stack.data];
    const child = spawn(process.execPath, args, { cwd: folder, env });
    const ended = once(child, 'exit');
    const [printed] = await once(child.stdout, 'data');
    const { origin, searchParams } = new URL(String(printed).match(/http:\S+/)?.[0] ?? '');
    const cookie = (await fetch(`${origin}/?${searchParams}`, { redirect: 'manual' })).headers.get(
      'set-cookie',
    );
    const page = async (file: string) =>
      (await fetch(`${origin}${file}`, { headers: { cookie: cookie?.split(';')[0] ?? '' } })).text();
    expect(await page('/')).toContain('app.js');
    expect((await page('/app.js')).split('\n')[0]).toBe('const brand={};');
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
  });
});
