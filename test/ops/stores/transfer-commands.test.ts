import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createProject } from '../../../ops/projects.ts';
import { unique } from '../../support/builders.ts';
import { startTarget, type TestTarget } from '../../support/ops-target.ts';

const root = path.join(import.meta.dirname, '../../..');
const codes = Array.from({ length: 30 }, (_, i) => `link-${i}`);

let target: TestTarget;
let folder: string;
let project: string;
beforeAll(async () => {
  target = await startTarget();
  folder = mkdtempSync(path.join(tmpdir(), 'commands-'));
  const { apiBase: apiBaseUrl, shortBase: shortBaseUrl, tableName, db } = target;
  const stack = { apiBaseUrl, shortBaseUrl, tableName, dynamodbEndpoint: db.endpoint };
  writeFileSync(inFolder('stack.json'), JSON.stringify(stack));
  const rows = codes.map((code) => JSON.stringify({ code, payload: { link: 'https://example.com/' } }));
  writeFileSync(inFolder('links.ndjson'), rows.join('\n'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await target.db.stop();
});
beforeEach(async () => {
  project = unique('shop');
  await createProject(target, { id: project });
});

const inFolder = (name: string) => path.join(folder, name);

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a line of the shell in which `admin` is the command line, and $1 and so on are arguments. */
const shell = (line: string, ...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const functions = `admin() { "${process.execPath}" bin/admin.ts "$@" --project "${project}" --data "${folder}"; }`;
    execFile('sh', ['-c', `${functions}\n${line}`, 'sh', ...args], { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

const count = () => target.stores.links.count(project);

test('an import whose report can no longer be written goes on, and says so', async () => {
  // A limit of files' size is like a full disk.
  const line = 'ulimit -f 1; admin link import "$1" --report "$2" --json';
  const { code, stdout, stderr } = await shell(line, inFolder('links.ndjson'), inFolder('report'));
  const missing = `The report is missing. The file ${inFolder('report')} can't be written: file too large\n`;
  expect([code, stderr]).toEqual([1, missing]);
  expect(JSON.parse(stdout)).toMatchObject({ created: codes.length });
  expect(await count()).toBe(codes.length);
  expect(readdirSync(folder)).not.toContainEqual(expect.stringMatching(/^report/));
});

test.each([
  ['the file to import', 'links.ndjson', '--report must not be the file to import: name another file'],
  ['a folder', 'folder', 'is a folder: name a file in it'],
  ['in a folder that does not exist', 'nowhere/report', "can't be written: no such file or directory"],
])('a report that is %s is refused before the import', async (_, name, message) => {
  mkdirSync(inFolder('folder'), { recursive: true });
  const before = readFileSync(inFolder('links.ndjson'), 'utf8');
  const { code, stderr } = await shell(
    'admin link import "$1" --report "$2"',
    inFolder('links.ndjson'),
    inFolder(name),
  );
  expect([code, stderr.trimEnd()]).toEqual([1, expect.stringContaining(message)]);
  expect(await count()).toBe(0);
  expect(readFileSync(inFolder('links.ndjson'), 'utf8')).toBe(before);
});

test('links are imported from a pipe', async () => {
  const line = 'cat "$1" | admin link import /dev/stdin --format ndjson --json';
  const { code, stdout } = await shell(line, inFolder('links.ndjson'));
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ created: codes.length })]);
});

test('each row is one line, whatever its cells hold', async () => {
  const cells = '"one\ttwo\r\nthree\u001b[2J",https://example.com/';
  writeFileSync(inFolder('cells.csv'), `code,link\n${cells}\nfine,https://example.com/\n`);
  const { stdout } = await shell('admin link import "$1"', inFolder('cells.csv'));
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    expect.stringMatching(/^2\tone two three \[2J\trefused\t/),
    '4\tfine\tcreated',
  ]);
});

test('an export to a full disk says so, and leaves nothing behind', async () => {
  await shell('admin link import "$1"', inFolder('links.ndjson'));
  const { code, stderr } = await shell('ulimit -f 1; admin link export --out "$1"', inFolder('out'));
  expect([code, stderr]).toEqual([1, `The file ${inFolder('out')} can't be written: file too large\n`]);
  expect(readdirSync(folder)).not.toContainEqual(expect.stringMatching(/^out/));
  const written = await shell('ulimit -f 1; admin link export > "$1"', inFolder('standard'));
  expect([written.code, written.stderr]).toEqual([
    1,
    "Standard output can't be written: EFBIG: file too large, write\n",
  ]);
});
