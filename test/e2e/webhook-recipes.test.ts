import { execFile, spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { folderWithClient, newFolder } from '../support/folder.ts';
import { listen } from '../support/listen.ts';
import { expectEventually } from '../support/local-stack.ts';
import { root, textOf } from '../support/source-files.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

/* The programs of docs/events.md, on the local stack. A server stands in for Slack. */

const stack = sharedStack();
const project = projectOn(stack);
const page = textOf('docs/events.md');
const [, receiver = ''] = /## A receiver\n.*?```ts\n(.*?)```/s.exec(page) ?? [];
const [, program = ''] = /## Forward events to Slack\n.*?```js\n(.*?)```/s.exec(page) ?? [];

const freePort = async (): Promise<number> => {
  const { port, stop } = await listen();
  await stop();
  return port;
};

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });

/** Compiles a program strictly, with the package's types. Resolves to the compiler's messages. */
const compile = async (folder: string): Promise<string> => {
  mkdirSync(path.join(folder, 'node_modules/@types'), { recursive: true });
  for (const [name, target] of [
    ['dynamic-link-client', 'client'],
    ['@types/node', 'node_modules/@types/node'],
    ['undici-types', 'node_modules/undici-types'],
  ] as const)
    symlinkSync(path.join(root, target), path.join(folder, 'node_modules', name));
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2022',
    types: ['node'],
    outDir: '.',
  };
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['receiver.mts'] }),
  );
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '--project', folder]).catch(
    (error) => error,
  );
  return stdout;
};

test('the receiver compiles strictly and prints each signed event', async () => {
  const folder = newFolder();
  writeFileSync(path.join(folder, 'receiver.mts'), receiver);
  expect(await compile(folder)).toBe('');

  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const { secret, id } = await stack.admin('webhook', 'create', url, '--project', project.id);
  const child = spawn(process.execPath, ['receiver.mjs'], {
    cwd: folder,
    env: { PATH: process.env.PATH, SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  try {
    await expectEventually(() => answers(port)).toBe(true);
    expect(await stack.admin('webhook', 'test', id, '--project', project.id)).toMatchObject({ status: 204 });
    expect(printed).toMatch(/^\S+ webhook\.test\n$/);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
  } finally {
    child.kill();
  }
});

test('the Slack example posts link events, and only accepts signed requests', async () => {
  const folder = folderWithClient();
  writeFileSync(path.join(folder, 'slack.mjs'), program);

  const port = await freePort();
  const slack = await startReceiver();
  const url = `http://127.0.0.1:${port}/`;
  const { secret } = await stack.admin('webhook', 'create', url, '--project', project.id);
  const child = spawn(process.execPath, ['slack.mjs'], {
    cwd: folder,
    env: { PATH: process.env.PATH, SECRET: secret, SLACK_URL: slack.url, PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  try {
    await expectEventually(() => answers(port)).toBe(true);
    const made = await project.call('POST', '/links', {
      name: 'Sale <!channel> & more',
      payload: { link: 'https://example.com/' },
    });
    const { shortUrl } = made.body.data;
    const texts = () => slack.received.map(({ body }) => JSON.parse(body));
    await expectEventually(texts).toEqual([
      { text: `link.created: Sale &lt;!channel&gt; &amp; more ${shortUrl}` },
    ]);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    // It stops reading an endless body, and goes on serving.
    const body = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(100_000)) });
    const endless = { method: 'POST', body, duplex: 'half' } as RequestInit;
    const answer = await fetch(url, endless).catch(() => undefined);
    expect(answer?.ok).not.toBe(true);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    expect(slack.received).toHaveLength(1);
  } finally {
    child.kill();
    slack.stop();
  }
});
