import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { linkDraft } from '../../../core/links/link-schema.ts';
import { examine, linkRows } from '../../../ops/conformance/conformance.ts';
import { linkShapes } from '../../../ops/conformance/corpus.ts';
import { listen } from '../../support/listen.ts';
import { isNightly } from '../../support/nightly.ts';
import { root } from '../../support/source-files.ts';

const run = async (...args: string[]) => {
  const command = ['ops/dls.js', 'conformance', ...args];
  const ended = promisify(execFile)(process.execPath, command, { cwd: root, maxBuffer: 1e8 });
  const { code = 0, stdout, stderr } = await ended.catch((error) => error);
  return { code, stdout, stderr };
};

test('wrong redirects of a service are listed by visitor', async () => {
  const asked: (string | undefined)[] = [];
  const { endpoint, stop } = await listen((request, response) => {
    asked.push(request.url);
    response.writeHead(302, { Location: 'https://shop.example.com/landing' }).end();
  });
  const { code, stdout, stderr } = await run('--base', `${endpoint}/x/`).finally(stop);
  expect(code).toBe(1);
  const [, visits, wrong] = /^(\d+) visits, (\d+) of them/.exec(stdout) ?? [];
  expect(Number(visits)).toBe(asked.length);
  expect(stderr.trim().split('\n')).toHaveLength(Number(wrong));
  expect(stderr).toContain('identifiers of both apps, as Mozilla');
  // Its redirects of links with only that destination are right.
  expect(stderr).not.toContain('a destination alone');
  expect(asked).toContain('/x/a-destination-alone');
});

test('an unreachable service ends it with one line', async () => {
  const { code, stderr } = await run('--base', 'http://127.0.0.1:1/x');
  expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
});

test('the links and saved apps that it creates are deleted again', async () => {
  const paths: string[] = [];
  const { endpoint, stop } = await listen(({ method, url = '' }, response) => {
    const id = paths.length;
    if (method !== 'GET') paths.push(method === 'POST' ? `${url}/${id}` : url);
    const body = JSON.stringify({ data: { id, code: id, shortUrl: endpoint } });
    response.writeHead(method === 'GET' ? 302 : 200, { Location: endpoint }).end(body);
  });
  await examine({ api: { apiBaseUrl: endpoint, apiKey: 'any' } }).finally(stop);
  const left = paths.filter((one) => paths.indexOf(one) === paths.lastIndexOf(one));
  expect([left, paths.length > 2 * linkShapes.length]).toEqual([[], true]);
});

const refused: readonly (readonly [readonly string[], RegExp])[] = [
  [[], /--base or --api/],
  [['--base', 'go.example.com'], /--base must be an http or https address/],
  [['--api', 'https://api.example.com'], /go together/],
];
// A process each.
test.each(isNightly ? refused : refused.slice(0, 1))('%j is refused in one line', async (args, message) => {
  const { code, stderr } = await run(...args);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test('--links prints rows for an import, each with its own code', async () => {
  const { stdout } = await run('--links');
  expect(stdout).toBe(`${linkRows().join('\n')}\n`);
  const rows = linkRows().map((row) => JSON.parse(row));
  expect(new Set(rows.map(({ code }) => code)).size).toBe(linkShapes.length);
  for (const { code, payload } of rows) {
    expect(linkDraft.safeParse({ code, payload }).error).toBeUndefined();
  }
});
