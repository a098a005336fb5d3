import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '../support/folder.ts';
import { describeAtNight } from '../support/nightly.ts';

/* Packing builds the package, which takes longer than a test of each push may. */

const root = path.join(import.meta.dirname, '../..');
const folder = realpathSync(newFolder());
const installed = path.join(folder, 'node_modules/dynamic-link-client');

const inFolder = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

/** Node as it runs here and as the user has it, and other runtimes that are there. */
const runtimes = [
  ...new Set([process.execPath, process.env.npm_node_execpath ?? process.execPath]),
  ...['deno', 'bun'].filter((name) => spawnSync(name, ['--version']).status === 0),
];

describeAtNight('the packed package, installed into an empty folder', () => {
  beforeAll(() => {
    execFileSync('npm', ['pack', '--workspace', 'client', '--pack-destination', folder], {
      cwd: root,
      stdio: 'pipe',
    });
    writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}');
    const [tarball = ''] = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
    inFolder('npm', 'install', '--offline', '--no-audit', '--no-fund', `./${tarball}`);
  });

  test('has no dependencies', () => {
    expect(readdirSync(path.join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'dynamic-link-client',
    ]);
    const { dependencies } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
    expect(dependencies).toBeUndefined();
    expect(readFileSync(path.join(installed, 'dist/program/LICENSES.txt'), 'utf8')).toContain('commander');
  });

  test.each(runtimes)('is imported by %s', (runtime) => {
    const file = 'imports.mjs';
    writeFileSync(
      path.join(folder, file),
      `import * as all from 'dynamic-link-client';
      import { appLinks } from 'dynamic-link-client/app';
      import withDynamicLinks from 'dynamic-link-client/expo';
      import { getDynamicLinks } from 'dynamic-link-client/firebase';
      const vector = { 'webhook-id': 'evt_2f6Q9xJ0m3kT8aZcYbR1dw', 'webhook-timestamp': '1795348800',
        'webhook-signature': 'v1,qb+ZU9RyLZ6YWszIIp5X4RhjZ1gJq8qXZLoSs+rMO1s=' };
      const body = '{"type":"link.deleted","timestamp":"2026-11-22T12:00:00.000Z","data":{"project":"demo","code":"launch"}}';
      const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
      const event = await all.verifyWebhook(body, vector, secret, { now: 1795348800000 });
      const { code } = await new all.DynamicLinks({ url: 'http://127.0.0.1:1', key: 'k', retries: 0 })
        .usage().catch((error) => error);
      const opened = appLinks({ hosts: ['go.example.com'], platform: 'ios' }).parse('https://go.example.com/launch');
      const { ios } = withDynamicLinks({}, { hosts: ['go.example.com'] });
      const advice = await getDynamicLinks().getInitialLink().catch((error) => error.message);
      console.log(JSON.stringify([Object.keys(all).sort(), event.type, code, opened, ios, advice]));`,
    );
    const args = /deno$/.test(runtime) ? ['run', '--allow-all', file] : [file];
    expect(JSON.parse(inFolder(runtime, ...args))).toEqual([
      ['DynamicLinks', 'DynamicLinksError', 'WebhookVerificationError', 'verifyWebhook'],
      'link.deleted',
      'CONNECTION_ERROR',
      { shortUrl: 'https://go.example.com/launch' },
      { associatedDomains: ['applinks:go.example.com'] },
      'Call configure({ hosts, … }) first',
    ]);
  });

  test.each([
    ['the older compiler', 'client/node_modules/typescript/bin/tsc'],
    ['the newest compiler', 'node_modules/typescript/bin/tsc'],
  ])('compiles the examples of its README strictly with %s', (_, compiler) => {
    const readme = readFileSync(path.join(installed, 'README.md'), 'utf8');
    const examples = [...readme.matchAll(/```[tj]s\n(.*?)```/gs)].map(([, code = '']) => code);
    const files = examples.map((code, index) => {
      writeFileSync(path.join(folder, `example-${index}.ts`), code);
      return `example-${index}.ts`;
    });
    const flags = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
    const types = ['--typeRoots', path.join(root, 'node_modules/@types')];
    inFolder(process.execPath, path.join(root, compiler), ...flags, ...types, ...files);
  });

  test.each(runtimes.filter((runtime) => /node/.test(runtime)))('has a program that %s runs', (runtime) => {
    const program = path.join(folder, 'node_modules/.bin/dynamic-links');
    const { version } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
    expect(inFolder(runtime, program, '--version')).toBe(`${version}\n`);
    writeFileSync(path.join(folder, 'links.yaml'), 'owner: web\nlinks: { abc: { paylod: {} } }');
    const planned = spawnSync(runtime, [program, 'plan', 'links.yaml'], { cwd: folder, encoding: 'utf8' });
    expect([planned.status, planned.stderr]).toEqual([
      1,
      'links.yaml: links.abc.paylod: is unknown; known are name, status, expiresAt, tags, payload\n',
    ]);
    const asked = [
      {
        method: 'initialize',
        id: 1,
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
      },
      { method: 'notifications/initialized' },
      { method: 'tools/list', id: 2 },
    ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const served = spawnSync(runtime, [program, 'mcp'], {
      cwd: folder,
      input: asked.join(''),
      encoding: 'utf8',
      env: { PATH: process.env.PATH, DLS_URL: 'http://127.0.0.1:1', DLS_KEY: 'dls_key' },
    });
    expect([served.status, served.stderr]).toEqual([0, '']);
    const answers = served.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.at(-1).result.tools).toHaveLength(8);
  });
});
