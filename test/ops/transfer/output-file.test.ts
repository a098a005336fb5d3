import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  createReadStream,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { isSameFile, writeFile } from '../../../ops/transfer/output-file.ts';
import { openReport } from '../../../ops/transfer/report.ts';
import { newFolder } from '../../support/folder.ts';

const root = path.join(import.meta.dirname, '../../..');

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

const inFolder = (name: string) => path.join(folder, name);
const content = (name: string) => readFileSync(inFolder(name), 'utf8');
const write = (name: string, written: string) => writeFile(inFolder(name), (sink) => sink(written));

test('a file appears when it is whole', async () => {
  const portions = Array.from({ length: 3 }, (_, i) => String(i).repeat(20_000));
  await writeFile(inFolder('out'), async (sink) => {
    for (const portion of portions) {
      await sink(portion);
      expect(readdirSync(folder)).toEqual([expect.stringMatching(/^out\.\w+\.part$/)]);
    }
  });
  expect(readdirSync(folder)).toEqual(['out']);
  expect(content('out') === portions.join('')).toBe(true);
});

test('a file that is replaced keeps its mode, and is as before if writing fails', async () => {
  writeFileSync(inFolder('out'), 'before');
  chmodSync(inFolder('out'), 0o640);
  await expect(
    writeFile(inFolder('out'), async (sink) => {
      await sink('x'.repeat(100_000));
      throw new Error('the network is down');
    }),
  ).rejects.toThrow('the network is down');
  expect([readdirSync(folder), content('out')]).toEqual([['out'], 'before']);
  await write('out', 'after');
  expect([readdirSync(folder), content('out')]).toEqual([['out'], 'after']);
  expect(statSync(inFolder('out')).mode & 0o777).toBe(0o640);
});

test.each([['there'], ['missing']])('a symbolic link to a %s file is followed', async (name) => {
  mkdirSync(inFolder('files'));
  writeFileSync(inFolder('files/there'), 'before');
  symlinkSync(`files/${name}`, inFolder('second'));
  symlinkSync('second', inFolder('first'));
  await write('first', 'after');
  expect(['first', 'second'].map((link) => lstatSync(inFolder(link)).isSymbolicLink())).toEqual([true, true]);
  expect(content(`files/${name}`)).toBe('after');
  expect(readdirSync(inFolder('files')).sort()).toEqual(name === 'there' ? ['there'] : ['missing', 'there']);
});

test('a pipe is written to, also by a symbolic link', async () => {
  execFileSync('mkfifo', [inFolder('pipe')]);
  symlinkSync('pipe', inFolder('link'));
  for (const name of ['pipe', 'link']) {
    const [read] = await Promise.all([text(createReadStream(inFolder('pipe'))), write(name, 'links')]);
    expect([read, lstatSync(inFolder('pipe')).isFIFO()]).toEqual(['links', true]);
  }
  expect(readdirSync(folder).sort()).toEqual(['link', 'pipe']);
});

test.each([
  ['folder', 'is a folder: name a file in it'],
  ['nowhere/out', "can't be written: no such file or directory"],
  ['loop', "can't be written: too many symbolic links encountered"],
])('%s is refused before anything is written', async (name, message) => {
  mkdirSync(inFolder('folder'));
  symlinkSync('loop', inFolder('loop'));
  let filled = false;
  const writing = writeFile(inFolder(name), async () => {
    filled = true;
  });
  await expect(writing).rejects.toThrow(message);
  expect(filled).toBe(false);
});

test('one file is recognised under two names', async () => {
  writeFileSync(inFolder('file'), '');
  symlinkSync('file', inFolder('link'));
  expect(await isSameFile(inFolder('file'), inFolder('link'))).toBe(true);
  expect(await isSameFile(inFolder('file'), inFolder('nowhere'))).toBe(false);
  expect(await isSameFile(inFolder('nowhere'), inFolder('nowhere'))).toBe(false);
});

test('a report that can no longer be written takes no more rows, and gives the reason', async () => {
  execFileSync('mkfifo', [inFolder('pipe')]);
  const reader = createReadStream(inFolder('pipe'));
  const report = await openReport(inFolder('pipe'));
  reader.destroy();
  await once(reader, 'close');
  for (let line = 1; line < 1000; line += 1)
    await report.add({
      line,
      code: `code-${line}`,
      result: 'created',
      reason: '',
      details: [],
      lost: [],
      differences: [],
    });
  expect(await report.finish()).toBe(`The file ${inFolder('pipe')} can't be written: broken pipe`);
});

/** A program that writes a file, reports it and waits. */
const writing = `
  import { writeFile } from './ops/transfer/output-file.ts';
  await writeFile(process.argv[1], async (sink) => {
    await sink('x'.repeat(100_000));
    console.log('written');
    if (process.argv[2]) await new Promise(() => setInterval(() => undefined, 1000));
  }).catch((error) => console.error(error.message));`;
const args = ['--input-type=module-typescript', '-e', writing];

test.each(['SIGINT', 'SIGTERM'] as const)('%s leaves no part of a file behind', async (signal) => {
  const child = spawn(process.execPath, [...args, inFolder('out'), 'wait'], { cwd: root });
  await once(child.stdout, 'data');
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^out\.\w+\.part$/)]);
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([null, signal]);
  expect(readdirSync(folder)).toEqual([]);
});

/** A limit of files' size is like a full disk. */
const limited = ['ulimit -f 50 && exec "$@"', 'sh', process.execPath];

test('a full disk ends writing with one sentence, and without a part of the file', () => {
  const { stderr } = spawnSync('sh', ['-c', ...limited, ...args, inFolder('out')], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toBe(`The file ${inFolder('out')} can't be written: file too large\n`);
  expect(readdirSync(folder)).toEqual([]);
});

test('a file that is the standard output is added to, not replaced', () => {
  const out = inFolder('all');
  const program = ['-c', 'echo before > "$1"; shift; exec "$@" >> "$0"'];
  spawnSync('sh', [...program, out, out, process.execPath, ...args, out], { cwd: root });
  expect(readdirSync(folder)).toEqual(['all']);
  expect(content('all')).toBe(`before\n${'x'.repeat(100_000)}written\n`);
});
