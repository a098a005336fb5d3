import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { consoleBundle } from '../../../lib/console-bundle.ts';
import { appFiles } from '../../../ops/console-server/app-files.ts';

test('the app is at most 104 KB when compressed, and loads nothing from other hosts', async () => {
  const files = [...(await appFiles()).values()].map(({ content }) => Buffer.from(content));
  const zipped = files.reduce((sum, content) => sum + gzipSync(content).length, 0);
  expect(zipped).toBeLessThanOrEqual(104 * 1024);
  expect(zipped).toBeGreaterThan(10 * 1024);
  const text = Buffer.concat(files).toString();
  const hosts = [...text.matchAll(/(?:fetch\(|src=|url\(|@import )["'`]?https?:/g)];
  expect(hosts).toEqual([]);
});

test("the members' app is at most 112 KB when compressed", () => {
  const { outputFiles } = buildSync({ ...consoleBundle('member.tsx'), write: false, outdir: 'nowhere' });
  const zipped = outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0);
  expect(zipped).toBeLessThanOrEqual(112 * 1024);
});
