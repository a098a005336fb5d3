import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { bundling, bytesAtStart, writeBundle } from '../../lib/bundles.ts';
import { textOf } from '../support/source-files.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'bundles-'));
afterAll(() => rmSync(folder, { recursive: true }));

const written = (entry: string, isMapped: boolean): string => {
  const into = path.join(folder, entry);
  writeBundle(entry, into, { isMapped });
  return into;
};

test('stack traces have source lines, from a map without the source', () => {
  const into = written('aggregate-clicks', true);
  expect(JSON.parse(readFileSync(path.join(into, 'index.mjs.map'), 'utf8'))).not.toHaveProperty(
    'sourcesContent',
  );
  const script = `const { handler } = await import('./index.mjs'); await handler({ Records: [] });`;
  const { stderr } = spawnSync(
    process.execPath,
    ['--enable-source-maps', '--input-type=module', '-e', script],
    {
      cwd: into,
      encoding: 'utf8',
      env: { ...process.env, AWS_REGION: 'us-east-1' },
    },
  );
  expect(stderr).toMatch(/at .*lambdas\/.*aggregate-clicks\.ts:\d+:\d+/);
});

test('the redirect has no source map', () => {
  const into = written('redirect', false);
  expect(existsSync(path.join(into, 'index.mjs.map'))).toBe(false);
  expect(readFileSync(path.join(into, 'index.mjs'), 'utf8')).not.toContain('sourceMappingURL');
});

test('a start of the redirect loads at most 60,000 bytes, without the debug page and the translations', () => {
  const into = written('redirect', false);
  const all = readdirSync(into).reduce((sum, name) => sum + readFileSync(path.join(into, name)).length, 0);
  expect(bytesAtStart(into)).toBeLessThanOrEqual(60_000);
  expect(all - bytesAtStart(into)).toBeGreaterThan(18_000);
});

/** Code to read to follow a function: lines of this repository's own files in its bundle, also those loaded later. */
test.each([
  ['aggregate-clicks', 2650],
  ['record-clicks', 1850],
  ['redirect', 5100],
  ['send-events', 2750],
  ['emit-events', 5100],
  ['api/create-link', 7400],
])('%s has at most %i lines of our own', (entry, most) => {
  const { inputs } = buildSync({
    ...bundling,
    entryPoints: [`lambdas/${entry}.ts`],
    outdir: folder,
    splitting: true,
    write: false,
    metafile: true,
  }).metafile;
  const own = Object.keys(inputs).filter((file) => !file.includes('node_modules'));
  const lines = own.flatMap((file) => textOf(file).trimEnd().split('\n'));
  expect(own).toContain('core/table/items.ts');
  expect(lines.length).toBeLessThanOrEqual(most);
});

test('every other function is one file', () => {
  expect(readdirSync(written('qr', false))).toEqual(['index.mjs']);
});
