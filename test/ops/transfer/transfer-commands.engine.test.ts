import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { newFolder } from '../../support/folder.ts';
import { testAtNight } from '../../support/nightly.ts';
import { fileDeployment, projectIn, writeFacts } from '../../support/ops-deployment.ts';
import { root } from '../../support/source-files.ts';

const run = promisify(execFile);
const codes = Array.from({ length: 30 }, (_, i) => `link-${i}`);

const deployment = fileDeployment();
const folder = newFolder();
let project: string;
beforeAll(async () => {
  writeFacts(folder, deployment);
  const rows = codes.map((code) => JSON.stringify({ code, payload: { link: 'https://example.com/' } }));
  writeFileSync(inFolder('links.ndjson'), rows.join('\n'));
});
beforeEach(async () => {
  project = await projectIn(deployment);
});

const inFolder = (name: string) => path.join(folder, name);

/** Runs a line of the shell in which `admin` is the command line, and $1 and so on are arguments. */
const shell = async (line: string, ...args: readonly string[]) => {
  const functions = `admin() { "${process.execPath}" ops/dls.js "$@" --project "${project}" --data "${folder}"; }`;
  const command = ['-c', `${functions}\n${line}`, 'sh', ...args];
  const { code = 0, stdout, stderr } = await run('sh', command, { cwd: root }).catch((error) => error);
  return { code, stdout: String(stdout), stderr: String(stderr) };
};

const count = () => deployment.stores.links.count(project);

testAtNight('an import whose report can no longer be written goes on, and prints that', async () => {
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
  ['the file to import', 'links.ndjson', 2, '--report must not be the file to import: name another file'],
  ['a folder', 'folder', 1, 'is a folder: name a file in it'],
])('a report that is %s is refused before the import', async (_, name, exitCode, message) => {
  mkdirSync(inFolder('folder'), { recursive: true });
  const before = readFileSync(inFolder('links.ndjson'), 'utf8');
  const { code, stderr } = await shell(
    'admin link import "$1" --report "$2"',
    inFolder('links.ndjson'),
    inFolder(name),
  );
  expect([code, stderr.trimEnd()]).toEqual([exitCode, expect.stringContaining(message)]);
  expect(await count()).toBe(0);
  expect(readFileSync(inFolder('links.ndjson'), 'utf8')).toBe(before);
});

test('links are imported from a pipe', async () => {
  const line = 'cat "$1" | admin link import /dev/stdin --format ndjson --json';
  const { code, stdout } = await shell(line, inFolder('links.ndjson'));
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ created: codes.length })]);
});

test('each row is one line, whatever its cells hold', async () => {
  const long = 'x'.repeat(100_000);
  const cells = '"one\ttwo\r\nthree\u001b[2J",https://example.com/';
  writeFileSync(inFolder('cells.csv'), `code,link\n${cells}\n${long},x\nfine,https://example.com/\n`);
  const { stdout } = await shell('admin link import "$1"', inFolder('cells.csv'));
  // A row without a reason has no line.
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    expect.stringMatching(/^2\tone two three \[2J\trefused\t/),
    expect.stringMatching(/^4\tx{50}…\trefused\t/),
    'created    1',
  ]);
});

test('five of a thousand rows with one reason are printed, and the others are counted', async () => {
  const rows = Array.from({ length: 1000 }, (_, i) =>
    i % 100 === 0
      ? `https://other.test/good-${i},https://example.com/,app${i}://x`
      : `https://host-${i}.test/bad-${i},https://example.com/${i},`,
  );
  writeFileSync(inFolder('noisy.csv'), ['short_link,link,ius', ...rows].join('\n'));
  const line = 'admin link import "$1" --host other.test --report "$2" --verify';
  const { code, stdout } = await shell(line, inFolder('noisy.csv'), inFolder('noisy-report'));
  const refusal = "its host is not the project's: assign it, or name it with --host";
  expect([code, stdout.split('\n').filter((text) => text !== '')]).toEqual([
    1,
    [
      '2\tgood-0\tcreated\tleft out ius',
      ...[1, 2, 3, 4, 5].map((i) => `${i + 2}\tbad-${i}\trefused\t${refusal}`),
      ...[1, 2, 3, 4].map((i) => `${i * 100 + 2}\tgood-${i}00\tcreated\tleft out ius`),
      '… and 5 more rows: left out ius',
      `… and 985 more rows: ${refusal}`,
      ...[
        'created    10',
        'unchanged  0',
        'conflict   0',
        'refused    990',
        'lost       10',
        'limits     0',
        'elsewhere  0',
      ],
    ],
  ]);
  const report = readFileSync(inFolder('noisy-report'), 'utf8').trim().split('\n');
  expect(report).toHaveLength(1000);
  expect(JSON.parse(report[1] ?? '')).toMatchObject({
    reason: refusal,
    details: [expect.stringContaining('its host host-1.test is not')],
  });
});

describe('a verified import', () => {
  const header = 'short_link,link,ipfl,ius,afl';
  const clean = 'https://old.test/clean,https://example.com/,,,';
  const lossy = 'https://old.test/lossy,https://example.com/,,acme,';
  const astray = 'https://old.test/astray,https://example.com/,https://example.com/ipad,,';
  const importing = (name: string, rows: readonly string[], flags: string) => {
    writeFileSync(inFolder(name), [header, ...rows].join('\n'));
    const line = `admin link import "$1" --format firebase --host old.test --report "$2" ${flags}`;
    return shell(line, inFolder(name), inFolder('rows'));
  };
  const reported = () =>
    readFileSync(inFolder('rows'), 'utf8')
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row));

  test('fails if a link leads elsewhere, and lists the values that were lost', async () => {
    const { code, stdout } = await importing('fdl.csv', [clean, lossy, astray], '--verify --json');
    const counts = { created: 3, unchanged: 0, conflict: 0, refused: 0, lost: 2, limits: 0, elsewhere: 1 };
    expect([code, JSON.parse(stdout)]).toEqual([1, counts]);
    const there = 'https://example.com/ipad';
    expect(reported().map(({ lost, differences }) => [lost, differences])).toEqual([
      [[], []],
      [[{ field: 'ius', value: 'acme' }], []],
      [[{ field: 'ipfl', value: there }], [{ device: 'ipad', here: 'https://example.com/', there }]],
    ]);
    const again = await importing('fdl.csv', [clean, lossy, astray], '--verify --json');
    expect([again.code, JSON.parse(again.stdout)]).toEqual([1, { ...counts, created: 0, unchanged: 3 }]);
  });

  testAtNight('succeeds if every link leads where it led', async () => {
    const { code, stdout } = await importing('fdl.csv', [clean, lossy], '--verify --dry-run --json');
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ lost: 1, elsewhere: 0 })]);
    const ended = await importing('fdl.csv', [clean, lossy], '--verify');
    expect(ended.stdout.split('\n')[0]).toBe('3\tlossy\tcreated\tleft out ius');
    expect(ended.stdout).not.toContain('clean');
    expect(reported()).toHaveLength(2);
    expect(ended.stderr).toContain('old.test is not a host of the project');
  });

  test('counts only lost values that could be kept: a row that is refused lost nothing', async () => {
    const foreign = 'https://other.test/x,https://example.com/,https://example.com/ipad,acme,';
    const { code, stdout } = await importing('fdl.csv', [foreign], '--verify --json');
    const counts = { created: 0, unchanged: 0, conflict: 0, refused: 1, lost: 0, limits: 0, elsewhere: 0 };
    expect([code, JSON.parse(stdout)]).toEqual([1, counts]);
  });
});

testAtNight('an export to a full disk fails with the reason, and leaves nothing behind', async () => {
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
