import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { folderWithClient } from '../support/folder.ts';
import { listen } from '../support/listen.ts';
import { eventually } from '../support/local-stack.ts';
import { textOf } from '../support/source-files.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

/* The program of docs/events.md, between the local stack and a server that stands in for Slack. */

const stack = sharedStack();
const project = projectOn(stack);
const page = textOf('docs/events.md');
const [, program = ''] = /## Into Slack\n.*?```js\n(.*?)```/s.exec(page) ?? [];

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
    await eventually(
      () => answers(port),
      (isThere) => isThere,
    );
    const made = await project.call('POST', '/links', {
      name: 'Sale <!channel> & more',
      payload: { link: 'https://example.com/' },
    });
    const { shortUrl } = made.body.data;
    const texts = await eventually(
      async () => slack.received.map(({ body }) => JSON.parse(body)),
      ({ length }) => length > 0,
    );
    expect(texts).toEqual([{ text: `link.created: Sale &lt;!channel&gt; &amp; more ${shortUrl}` }]);
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
