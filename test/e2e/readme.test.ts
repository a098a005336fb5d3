import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { newFolder } from '../support/folder.ts';
import { eventually } from '../support/local-stack.ts';
import { isNightly } from '../support/nightly.ts';
import { root, textOf } from '../support/source-files.ts';
import { sharedStack } from '../support/stack-fixtures.ts';

const readme = textOf('README.md');

/** The shell blocks below a heading. */
const blocksUnder = (heading: string): string[] => {
  const section = readme.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
};

const stack = sharedStack();
/** A checkout in which this stack is the one that `npm start` runs. */
const checkout = newFolder();
/** By day `npx` takes its place without npm, whose start takes longer than most commands; see command-line.test.ts. */
const programs = path.join(checkout, 'programs');
beforeAll(() => {
  for (const name of readdirSync(root).filter((entry) => !entry.startsWith('.')))
    symlinkSync(path.join(root, name), path.join(checkout, name));
  symlinkSync(stack.data, path.join(checkout, '.local'));
  mkdirSync(programs);
  const npx = `#!/bin/sh\nshift\nexec '${process.execPath}' ops/dls.js "$@"\n`;
  if (!isNightly) writeFileSync(path.join(programs, 'npx'), npx, { mode: 0o755 });
});

/** Runs a block as it is, except for the lines that name the stack. */
const run = async (block: string): Promise<string> => {
  const { apiBaseUrl, shortBaseUrl, apiKey } = stack.facts;
  const places = [`API=${apiBaseUrl}`, `SHORT=${shortBaseUrl}`, `KEY=${apiKey}`];
  const rest = block.replaceAll(/^(API|SHORT|KEY)=.*\n/gm, '');
  const script = ['set -eu', ...places, rest].join('\n');
  const { stdout } = await promisify(execFile)('sh', ['-c', script], {
    cwd: checkout,
    env: { ...process.env, PATH: `${programs}:${process.env.PATH}` },
  });
  return stdout;
};

test("README's first link is created, followed and counted as described", async () => {
  const [block = ''] = blocksUnder('A first link');
  expect(block).toMatch(/^API=http:\/\/127\.0\.0\.1:8787\nSHORT=http:\/\/127\.0\.0\.1:8788\nKEY=/);
  const printed = await run(block);
  expect(printed).toContain('"success":true');
  expect(printed.match(/HTTP\/1\.1 302/g)).toHaveLength(2);
  expect(printed).toMatch(/^location: https:\/\/example\.com\/landing/im);
  expect(printed).toMatch(/^location: https:\/\/apps\.apple\.com\/app\/id123456789/im);
  const analytics = await eventually(
    async () => (await stack.api('GET', '/links/launch')).body.data,
    ({ clickCount }) => clickCount > 0,
  );
  expect(analytics).toMatchObject({ clickCount: 1, analytics: { clicksByPlatform: { ios: 1, web: 0 } } });
});

test("README's project gets a key, a host and a link on it", async () => {
  const [block = ''] = blocksUnder('Projects, keys, hosts');
  const printed = await run(block);
  expect(printed).toMatch(/HTTP\/1\.1 302/);
  expect(printed).toMatch(/^location: https:\/\/acme\.example\.com\//im);
  expect(printed).toMatch(/^launch +ACTIVE/m);
  expect(printed).toContain('Usage: npx dls');
});
