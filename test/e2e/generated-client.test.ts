import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { newProject } from '../support/api.ts';
import { newFolder } from '../support/folder.ts';
import { describeAtNight } from '../support/nightly.ts';
import { sharedStack } from '../support/stack-fixtures.ts';

const program = `
import { createLink, getAnalytics, listLinks, patchLink, type LinkDraft, type LinkPatch } from './client';
import { client } from './client/client.gen';

declare const process: { readonly argv: string[] };
const [, , baseUrl = '', key = ''] = process.argv;
client.setConfig({ baseUrl, headers: { 'X-API-KEY': key } });
const body: LinkDraft = { code: 'generated', payload: { link: 'https://example.com/a' } };
const created = await createLink({ body, throwOnError: true });
const patch: LinkPatch = { payload: { social: { title: 'Title' } } };
await patchLink({ path: { code: created.data.data.code }, body: patch, throwOnError: true });
const listed = await listLinks({ throwOnError: true });
const analytics = await getAnalytics({ query: { code: 'generated' }, throwOnError: true });
const refused = await createLink({ body });
console.log(JSON.stringify({
  title: listed.data.data[0]?.payload.social?.title,
  analytics: analytics.data.data,
  refused: refused.error?.success,
}));
`;

const compilerOptions = {
  ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
  ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler' },
  lib: ['es2022', 'dom', 'dom.iterable'],
};

describeAtNight('a client that @hey-api/openapi-ts generates', () => {
  const stack = sharedStack();
  const folder = newFolder();

  test('compiles, and creates, patches, lists and reads analytics', async () => {
    const { key } = await newProject(stack);
    const packages = ['@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3'];
    const run = (...command: string[]) =>
      execFileSync('npx', ['--yes', ...packages.map((one) => `--package=${one}`), '--', ...command], {
        cwd: folder,
        encoding: 'utf8',
      });
    run('openapi-ts', '-i', path.resolve(import.meta.dirname, '../../docs/openapi.json'), '-o', 'client');
    writeFileSync(path.join(folder, 'program.ts'), program);
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    run('tsc', '-p', '.');
    const outfile = path.join(folder, 'program.mjs');
    buildSync({ entryPoints: [path.join(folder, 'program.ts')], bundle: true, format: 'esm', outfile });
    const args = [outfile, `${stack.facts.apiBaseUrl}/1.0`, key];
    const printed = execFileSync(process.execPath, args, { encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual({
      title: 'Title',
      analytics: { clicks: 0, uniqueClicks: 0 },
      refused: false,
    });
  });
});
