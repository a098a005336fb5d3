import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { DynamicLinks } from '../../client/index.ts';
import { folderWithClient } from '../support/folder.ts';
import { programVariables } from '../support/program.ts';
import { textOf } from '../support/source-files.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);

const readme = textOf('client/README.md');
const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
const folder = folderWithClient();
beforeAll(() => {
  for (const [index, example] of examples.entries())
    writeFileSync(path.join(folder, `${index}.mts`), example);
});

const run = async (...args: string[]): Promise<string> => {
  const env = { ...programVariables, DLS_URL: stack.facts.apiBaseUrl, DLS_KEY: project.key, ...webhook };
  return (await promisify(execFile)(process.execPath, args, { cwd: folder, env })).stdout;
};

const webhook = { DLS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}` };

test('there are three examples', () => {
  expect(examples).toHaveLength(3);
});

test('the table names every call of links', () => {
  const { links } = new DynamicLinks({ url: 'https://api.example.com', key: 'dls_x' });
  const calls = Object.getOwnPropertyNames(Object.getPrototypeOf(links)).filter(
    (one) => one !== 'constructor',
  );
  expect(calls.filter((one) => !readme.includes(`\n| \`links.${one}(`))).toEqual([]);
});

test.each([
  [0, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]+\/\w{8,12}\n$/],
  [1, /^no such link\n$/],
])('example %d does what its text promises', async (index, printed) => {
  expect(await run(`${index}.mts`)).toMatch(printed);
});

test('the example receiver only accepts signed requests', async () => {
  const body = JSON.stringify({ type: 'link.deleted', data: { project: 'demo', code: 'launch' } });
  const seconds = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', Buffer.alloc(32, 1))
    .update(`evt_1.${seconds}.${body}`)
    .digest('base64');
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${signature}`,
  };
  const ask = (text: string) => `
    const { default: receiver } = await import('./2.mts');
    const request = new Request('https://receiver.example', ${JSON.stringify({ method: 'POST', headers, body: text })});
    console.log((await receiver.fetch(request)).status);`;
  expect(await run('--input-type=module', '--eval', ask(body))).toBe('launch was deleted\n204\n');
  expect(await run('--input-type=module', '--eval', ask(`${body} `))).toBe('400\n');
});
