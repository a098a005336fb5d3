import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { scopes } from '../../core/api-keys/scopes.ts';
import { userAgents } from '../../ops/base/user-agents.ts';
import { eventually, expectEventually } from '../support/local-stack.ts';
import { root, textOf } from '../support/source-files.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);
const page = textOf('docs/api.md');

/** The page's code blocks, in order; the first two of them define names for all others. */
const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```/gms)].map(([, language = '', code = '']) => ({
  language,
  code,
}));
const [places, client] = blocks;
const source = pathToFileURL(path.join(root, 'client/index.ts')).href;

const run = async (program: string, ...args: string[]): Promise<string> => {
  const env = { PATH: process.env.PATH, BASE: stack.facts.apiBaseUrl, KEY: project.key };
  return (await promisify(execFile)(program, args, { cwd: root, env })).stdout;
};

/** Runs an example. JavaScript prints the comments after its `console.log`; `…` stands for any text. */
const perform = async (language: string, code: string): Promise<string> => {
  if (language === 'sh') return run('bash', '-euc', code);
  const program = `${client?.code}\n${code}`.replace("'dynamic-link-client'", `'${source}'`);
  const printed = await run(process.execPath, '--input-type=module', '--eval', program);
  const lines = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line]) => line);
  const said = lines.join('\n').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  expect(printed).toMatch(new RegExp(`^${said.replaceAll('…', '.*')}\n?$`));
  return printed;
};

/** Fields with their types; of a list, those of its first item. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]));
};

/** The service's background work, before the section that shows it. */
const awaited: Readonly<Record<string, () => Promise<unknown>>> = {
  History: () =>
    eventually(
      async () => (await project.call('GET', '/history?code=autumn')).body.data,
      (entries) => entries.length === 4,
    ),
  Analytics: async () => {
    await stack.visit(`/${project.id}/launch`, { 'User-Agent': userAgents.iphone });
    await expectEventually(
      async () => (await project.call('GET', '/links/launch')).body.data.clickCount,
    ).toBe(1);
  },
};

test('every example works as on the page, and responses have the shape that it shows', async () => {
  expect([places?.language, client?.language]).toEqual(['sh', 'js']);
  let performed = 0;
  for (const section of page.split(/^## /m).slice(1)) {
    await awaited[section.slice(0, section.indexOf('\n'))]?.();
    let printed = '';
    for (const [, language = '', code = ''] of section.matchAll(/^```(\w+)\n(.*?)^```/gms)) {
      if (language === 'json') expect(shapeOf(JSON.parse(printed))).toEqual(shapeOf(JSON.parse(code)));
      else {
        printed = await perform(language, code);
        performed += 1;
      }
    }
  }
  expect(performed).toBeGreaterThan(14);
});

test('the page explains every scope', () => {
  expect([...page.matchAll(/^\| `(\w+:\w+)` /gm)].map(([, scope]) => scope)).toEqual([...scopes]);
});
