import path from 'node:path';
import { buildSync } from 'esbuild';
import { storeOperationsOf } from '../core/api/endpoint.ts';
import { api, entryName, served } from '../core/api/index.ts';
import { functions, memberUses } from '../core/functions.ts';
import { openStores } from '../core/stores.ts';
import { access } from '../core/table/access.ts';
import type { Table } from '../core/table/table.ts';
import { consoleBundle } from '../lib/console-bundle.ts';
import { filesIn, importsOf, root, textOf } from './support/source-files.ts';

const entries = [
  'bin/app.ts',
  'ops/command-line/run-program.ts',
  'dev/repository.ts',
  ...['core', 'lambdas', 'local'].flatMap(filesIn),
];

/** Each file's imports at run time, from one bundle of them all. */
const { inputs } = buildSync({
  absWorkingDir: root,
  stdin: {
    contents: entries.map((file, i) => `export * as file${i} from './${file}';`).join('\n'),
    resolveDir: root,
  },
  bundle: true,
  write: false,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  metafile: true,
}).metafile;

type Import = (typeof inputs)[string]['imports'][number];

const reachedFrom = (entries: readonly string[], counts: (one: Import) => boolean): string[] => {
  const reached = new Set(entries);
  for (const file of reached)
    for (const one of inputs[file]?.imports.filter(counts) ?? []) reached.add(one.path);
  return [...reached].sort();
};

/** Everything that a module loads at run time, directly or not: our files, and packages by name. */
const loadedBy = (...entries: string[]): string[] => reachedFrom(entries, () => true);

/** Which top-level folders may import from which; tests may import anything. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  client: ['docs'],
  // From lib, the type of what its bundle is given.
  console: ['client', 'core', 'lib', 'ops'],
  core: [],
  local: [],
  lambdas: ['core'],
  lib: ['core'],
  construct: ['lib'],
  // From docs, the type of the cost page's inputs.
  ops: ['core', 'docs', 'lib'],
  dev: ['core', 'lib', 'local', 'ops'],
  bin: ['core', 'lib', 'ops'],
  // From tests, the meter of table calls and the table filler.
  bench: ['core', 'dev', 'lambdas', 'lib', 'local', 'ops', 'test'],
};

test.each(Object.entries(arrows))('%s imports only from %j', (module, allowed) => {
  const foreign = filesIn(module)
    .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
    .filter(({ target }) => ![module, ...allowed].includes(target.split('/')[0] ?? ''));
  expect(foreign).toEqual([]);
});

test("the consoles know of operators' tools the types of calls", () => {
  const known = filesIn('console')
    .map((file) => textOf(file).replaceAll(/import type [^;]*;/g, ''))
    .filter((text) => /\/ops\//.test(text));
  expect(known).toEqual([]);
});

/** The most lines of TypeScript in each folder; `test` includes the tests of `local`. */
const ceilings = {
  core: 17_520,
  lambdas: 3_470,
  lib: 4_860,
  local: 13_330,
  ops: 13_330,
  dev: 1_550,
  console: 10_550,
  construct: 245,
  client: 4_650,
  bench: 1_190,
  bin: 1_785,
  test: 64_420,
};

test.each(Object.entries(ceilings))('%s has at most %d lines', (folder, most) => {
  const isTest = (file: string) => file.startsWith('local/test/');
  const files = folder === 'test' ? ['test', 'local/test'].flatMap(filesIn) : filesIn(folder);
  const counted = files.filter((file) => (folder === 'test' || !isTest(file)) && !/api-types/.test(file));
  const lines = counted.reduce((sum, file) => sum + textOf(file).split('\n').length - 1, 0);
  const remedy =
    'delete lines, or raise it and lower another, or explain in the commit why the product is worth it';
  if (lines > most) throw new Error(`${folder} has ${lines} lines, and its ceiling is ${most}: ${remedy}`);
});

/** Folders that a folder reaches in one or more steps. */
const below = (folder: string): readonly string[] =>
  (arrows[folder] ?? []).flatMap((one) => [one, ...below(one)]);

test("CONTRIBUTING's diagram has these arrows, without those that others imply", () => {
  const [, picture = ''] = /```mermaid\nflowchart TD\n(.*?)```/s.exec(textOf('CONTRIBUTING.md')) ?? [];
  const drawn = picture
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [from = [], to = []] = line.split('-->').map((side) => side.split('&').map((one) => one.trim()));
      return from.flatMap((one) => to.map((other) => `${one} ${other}`));
    });
  const needed = Object.entries(arrows).flatMap(([folder, allowed]) =>
    allowed
      .filter((one) => !allowed.some((other) => below(other).includes(one)))
      .map((one) => `${folder} ${one}`),
  );
  expect(drawn.sort()).toEqual(needed.sort());
});

type Modules = Readonly<Record<string, readonly string[]>>;

/** A line for each module: its name, and those from which it may import. */
const modulesOf = (lines: string): Modules =>
  Object.fromEntries(
    lines
      .trim()
      .split('\n')
      .map((line) => {
        const [name = '', allowed = ''] = line.trim().split(':');
        return [name, allowed.split(' ').filter(Boolean)];
      }),
  );

/** Which modules of core may import from which; files outside modules may import from all of them. */
const modulesOfCore = modulesOf(`
  analytics-queries: base analytics links table
  api: share-links qr-styles analytics-queries apps base events fields analytics api-keys links idempotency rules table
  apps: base fields idempotency table
  base:
  destinations: api-keys base cached-reads table
  events: analytics links projects table
  click-export: base analytics table
  fields: base destinations
  analytics: base table
  history: base events analytics links table
  hosts: base destinations projects table
  api-keys: base table
  links: apps base destinations fields analytics api-keys projects idempotency rules table
  members: base api-keys projects table
  pages: base qr-styles rules short-urls visits
  projects: base table
  qr-styles: base table
  cached-reads: base table
  idempotency: base table
  share-links: api-keys base destinations fields links projects table
  rules: base destinations fields visits
  short-urls: apps base destinations hosts links projects cached-reads qr-styles rules table visits
  standby: base cached-reads table
  table: base
  visits: base analytics table
  webhooks: base destinations events table
`);

/** The same of operators' tools. */
const tools = modulesOf(`
  aws: base
  base:
  conformance: base
  console-server: base hosts links projects takedowns deployment transfer webhooks
  cost: base projects deployment
  click-export: base deployment
  hosts: base projects deployment
  links: aws base projects deployment
  preflight: aws base deployment upgrade
  projects: base deployment
  restore: base links takedowns deployment
  smoke: aws base hosts projects deployment
  standby: base links takedowns deployment
  takedowns: base links projects deployment transfer
  deployment: aws base
  transfer: base links projects deployment
  upgrade: base deployment
  webhooks: base projects deployment
`);
/** Commands know all of them. */
const modulesOfOps: Modules = { ...tools, 'command-line': Object.keys(tools) };

describe.each([
  ['core', modulesOfCore],
  ['ops', modulesOfOps],
])('in %s', (folder, modules) => {
  test.each(Object.entries(modules))('%s imports only from %j', (module, allowed) => {
    const foreign = filesIn(`${folder}/${module}`)
      .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
      .filter(({ target }) => target.startsWith(`${folder}/`))
      .filter(({ target }) => ![module, ...allowed].includes(target.split('/')[1] ?? ''));
    expect(foreign).toEqual([]);
  });

  test('every module is known, and none imports itself by way of others', () => {
    const known = new Set(filesIn(folder).flatMap((file) => file.split('/').slice(1, -1).slice(0, 1)));
    expect([...known].sort()).toEqual(Object.keys(modules).sort());
    const circleIn = (left: readonly string[]): readonly string[] => {
      const stuck = left.filter((module) => modules[module]?.some((other) => left.includes(other)));
      return stuck.length === left.length ? stuck : circleIn(stuck);
    };
    expect(circleIn(Object.keys(modules))).toEqual([]);
  });
});

test('no file lies directly in ops', () => {
  expect(filesIn('ops').filter((file) => file.split('/').length === 2)).toEqual([]);
});

test('only the event sender requests addresses that people give', () => {
  const requests = /\bfetch\(|node:(?:https?|net|tls|dgram|http2)'/;
  const found = ['core', 'lambdas'].flatMap(filesIn).filter((file) => requests.test(textOf(file)));
  expect(found.sort()).toEqual(
    [
      // AWS's own addresses, of the environment or of the region.
      'core/click-export/kept-rows.ts',
      'core/table/connection.ts',
      // Addresses, the sender.
      'core/destinations/web-address.ts',
      'core/hosts/host-name.ts',
      'core/webhooks/receiver-address.ts',
      'core/webhooks/receiver.ts',
      // The operators' identity provider.
      'lambdas/sign-in/issuer.ts',
    ].sort(),
  );
});

test('the local stack is used by its entries, outside of tests', () => {
  const entries = ['local/stack.ts', 'local/synthesis.ts', 'local/testing.ts'];
  const others = ['dev', 'bin', 'bench']
    .flatMap(filesIn)
    .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
    .filter(({ target }) => target.startsWith('local/') && !entries.includes(target));
  expect(others).toEqual([]);
});

const layers = (loaded: string[]) => [
  ...new Set(
    loaded
      .filter((file) => file.endsWith('.ts') && !file.startsWith('.'))
      .map((file) => file.split('/')[0] ?? ''),
  ),
];

test('the CDK app runs no code of the service and needs no SDK', () => {
  const loaded = loadedBy('bin/app.ts');
  expect(layers(loaded).sort()).toEqual(['bin', 'core', 'lib']);
  expect(loaded.filter((name) => /^(@aws-sdk|@middy)/.test(name))).toEqual([]);
});

test('no function loads the CDK', () => {
  expect(loadedBy(...filesIn('lambdas')).filter((name) => name.startsWith('aws-cdk-lib'))).toEqual([]);
});

test('every contract has its Lambda, and every Lambda its contract', () => {
  const entries = filesIn('lambdas/api').map((file) => path.basename(file, '.ts'));
  expect(entries.sort()).toEqual([...served.keys()].map(entryName).sort());
});

test('every granted operation belongs to a store, and some function uses it', () => {
  const stores = openStores({} as Table) as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const isOfStore = (operation: string) => {
    const [noun = '', verb = ''] = operation.split('.');
    return typeof stores[noun]?.[verb] === 'function';
  };
  expect(Object.keys(access).filter((operation) => !isOfStore(operation))).toEqual([]);
  const uses = [
    ...Object.values(api).flatMap(storeOperationsOf),
    ...Object.values(functions).flatMap(({ uses }) => uses),
    ...memberUses,
  ];
  expect([...new Set(uses)].sort()).toEqual(Object.keys(access));
});

test('one file reads the environment in core and lambdas, and the log its own name', () => {
  const read = [...filesIn('core'), ...filesIn('lambdas')].filter((file) =>
    textOf(file).includes('process.env'),
  );
  expect(read).toEqual(['lambdas/frame/log.ts', 'lambdas/frame/open-function.ts']);
});

/** Code to read to follow a function: lines of ours that it loads, then or later. */
test.each([
  ['lambdas/api/create-link.ts', 8000],
  ['lambdas/aggregate-clicks.ts', 3250],
])('%s loads at most %i lines of ours', (entry, most) => {
  const own = loadedBy(entry).filter((file) => file.startsWith('core/') || file.startsWith('lambdas/'));
  const lines = own.reduce((sum, file) => sum + textOf(file).split('\n').length - 1, 0);
  expect(lines).toBeGreaterThan(most / 2);
  expect(lines).toBeLessThanOrEqual(most);
});

// `dls --version` and `dls --help` wait for no more than the statements of commands.
test('a command loads its library when it runs', () => {
  const loaded = reachedFrom(['ops/command-line/run-program.ts'], ({ kind }) => kind !== 'dynamic-import');
  expect(loaded).toContain('ops/command-line/commands/link.ts');
  const ours = loaded.filter((file) => file.endsWith('.ts'));
  expect(loaded.filter((name) => !name.startsWith('node:') && !ours.includes(name))).toEqual([
    'commander',
    'nanoid',
  ]);
  expect(ours.filter((file) => file.startsWith('core/table/') || file.endsWith('/deployment.ts'))).toEqual(
    [],
  );
});

test('the redirect contains neither zod nor a whole SDK', () => {
  const loaded = loadedBy('lambdas/redirect.ts');
  expect(loaded.filter((name) => /^(zod|@middy|@aws-sdk\/(client|lib)-)/.test(name))).toEqual([]);
});

// To make them takes a quarter of what it takes to load such a function.
test.each(['check-code', 'delete-link', 'get-analytics', 'get-link', 'list-links', 'update-link-status'])(
  '%s loads no schemas of requests that state a link',
  (entry) => {
    expect(loadedBy(`lambdas/api/${entry}.ts`)).not.toContain('core/links/link-schema.ts');
  },
);

// An install drops packages that its registry lacks, and then `npm ci` fails elsewhere.
test('the lock file has the packages of every platform', () => {
  const { packages } = JSON.parse(textOf('package-lock.json')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>;
  };
  const missing = Object.entries(packages).flatMap(([where, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !packages[`node_modules/${name}`] && !packages[`${where}/node_modules/${name}`],
    ),
  );
  expect(missing).toEqual([]);
});

test('npm checks each package by the hash in the lock file', () => {
  const { packages } = JSON.parse(textOf('package-lock.json')) as {
    packages: Record<string, { integrity?: string; link?: boolean; inBundle?: boolean }>;
  };
  const unchecked = Object.entries(packages)
    // Links are our own packages, and bundled ones have the bundle's hash.
    .filter(([where, { link, inBundle }]) => where.includes('node_modules') && !link && !inBundle)
    .filter(([, { integrity }]) => !integrity)
    .map(([where]) => where);
  // The registry lacks these in every version that formats Markdown.
  const biome = /^node_modules\/@biomejs\/cli-(android|darwin|win32|linux-\w+-musl)/;
  expect(unchecked.filter((where) => !biome.test(where))).toEqual([]);
});

test('operators and members have the same views, with a client each', () => {
  const filesOf = (page: string) => {
    const { inputs } = buildSync({ ...consoleBundle(page), minify: false, metafile: true }).metafile;
    return Object.keys(inputs).filter((file) => !file.startsWith('..'));
  };
  const [operators, members] = [filesOf('main.tsx'), filesOf('member.tsx')];
  const separate = [operators, members].map((files, i) =>
    files.filter((file) => ![operators, members][1 - i]?.includes(file)).sort(),
  );
  expect(separate).toEqual([
    ['calls/operators-client.ts', 'main.tsx'],
    [
      ...['calls/call-contracts.ts', 'calls/member-analytics.ts', 'calls/member-lists.ts'],
      ...['calls/members-calls.ts', 'calls/members-client.ts', 'calls/project-clients.ts', 'member.tsx'],
    ],
  ]);
});

test('imports of values and types, on several lines, re-exported or dynamic, are all found', () => {
  const text = `import fs from 'node:fs';
import type { A } from './a.ts';
import {
  b,
} from '../b.ts';
export { c } from './c.tsx';
import './d.ts';
const late = () => import('./late.ts');
`;
  expect(importsOf('core/links/x.ts', text)).toEqual([
    'core/links/a.ts',
    'core/b.ts',
    'core/links/c.tsx',
    'core/links/d.ts',
    'core/links/late.ts',
  ]);
});

test('browser tests read pages by expectSoon, because a page may not have drawn yet', () => {
  const reads = 'title|content|textContent|inner\\w+|all\\w+s|count|(get|input)\\w+|is[A-Z]\\w+|evaluate\\w*';
  const early = new RegExp(
    `(?<!await )\\bexpectSoon\\(|\\bexpect\\(\\W*await ((?!=>)[^;])*?\\.(${reads})\\(`,
    'g',
  );
  const found = filesIn('test/e2e')
    .filter((file) => importsOf(file).includes('test/support/browser.ts'))
    .flatMap((file) => [...textOf(file).matchAll(early)].map(([text]) => `${file}: ${text}`));
  expect(found).toEqual([]);
});
