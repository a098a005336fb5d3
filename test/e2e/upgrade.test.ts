import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { androidApp } from '../support/api.ts';
import { newFolder } from '../support/folder.ts';
import { eventually, type RunningStack, startStackOf } from '../support/local-stack.ts';
import { isNightly } from '../support/nightly.ts';
import { root } from '../support/source-files.ts';

const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

const log = spawnSync('git', ['log', '--format=%H %s', '--grep=^release: '], { cwd: root, encoding: 'utf8' });

/** The commit of the last release before this version; none in a copy without history. */
const formerRelease = (log.stdout ?? '')
  .split('\n')
  .find((line) => line !== '' && !line.endsWith(` release: ${version}`))
  ?.split(' ')[0];

const checkOutFormer = (): string => {
  const checkout = newFolder();
  execFileSync('sh', ['-c', `git archive ${formerRelease} | tar -x -C "${checkout}"`], { cwd: root });
  execFileSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: checkout });
  return checkout;
};

/** A receiver of webhooks, which refuses all events until it is told to accept them. */
const startRefusingReceiver = async () => {
  const accepted: string[] = [];
  let [isRefusing, refused] = [true, 0];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (isRefusing) refused += 1;
    else accepted.push(JSON.parse(body).data.link.code);
    response.writeHead(isRefusing ? 500 : 200).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    accepted,
    refused: () => refused,
    refuse: (those: boolean) => (isRefusing = those),
    stop: () => server.close(),
  };
};

/** Runs a command of a version, and reads what it prints as JSON. */
const commandsOf =
  (checkout: string, data: string) =>
  (...args: string[]) =>
    JSON.parse(
      execFileSync(process.execPath, ['ops/dls.js', ...args, '--data', data, '--json'], {
        cwd: checkout,
        encoding: 'utf8',
      }),
    );

const visits = 40;

(isNightly && formerRelease !== undefined ? test : test.skip)(
  'links, apps, members, pending clicks and deliveries are kept by an upgrade from the last release, and by the way back',
  async () => {
    const checkouts = [checkOutFormer(), root];
    const data = newFolder();
    const receiver = await startRefusingReceiver();
    /** The clicks of each link. */
    const clicks = new Map<string, number>();
    let app: object | undefined;
    let stack: RunningStack | undefined;
    try {
      for (const [round, checkout] of [...checkouts, ...checkouts, checkouts[0] as string].entries()) {
        stack = await startStackOf(checkout, data);
        const { api, visit } = stack;
        const command = commandsOf(checkout, data);
        const of = ['--project', 'demo'];
        if (round === 0) {
          command('webhook', 'create', receiver.url, ...of, '--events', 'link.created');
          const created = await api('POST', '/mobile-apps', { body: androidApp });
          app = created.body.data;
        }
        const apps = await api('GET', '/mobile-apps');
        expect(apps.body.data.apps).toContainEqual(app);

        // What the other version left pending when it was killed.
        receiver.refuse(false);
        for (const [code, count] of clicks) {
          expect((await visit(`/${code}`)).status).toBe(302);
          clicks.set(code, count + 1);
        }
        await eventually(
          async () => [...clicks.keys()].filter((code) => !receiver.accepted.includes(code)),
          ({ length }) => length === 0,
        );
        await eventually(
          () => Promise.all([...clicks.keys()].map((code) => api('GET', `/links/${code}`))),
          (links) => links.every(({ body }) => body.data.clickCount === clicks.get(body.data.code)),
        );
        const members = command('member', 'list', ...of).map(({ email }: { email: string }) => email);
        expect(members).toEqual([...clicks.keys()].map((code) => `${code}@example.com`));

        receiver.refuse(true);
        const code = `round-${round}`;
        const before = receiver.refused();
        command('member', 'add', `${code}@example.com`, ...of, '--role', 'viewer');
        expect(
          (await api('POST', '/links', { body: { code, payload: { link: 'https://example.com/' } } })).status,
        ).toBe(201);
        const statuses = await Promise.all(
          Array.from(
            { length: visits },
            async (_, i) => (await visit(`/${code}`, { 'x-sim-viewer-address': `20.0.0.${i}` })).status,
          ),
        );
        expect(statuses).toEqual(statuses.map(() => 302));
        await eventually(
          async () => receiver.refused(),
          (now) => now > before,
        );
        clicks.set(code, visits);
        await stack.stop('SIGKILL');
      }
    } finally {
      await stack?.stop();
      receiver.stop();
    }
  },
  1_200_000,
);
