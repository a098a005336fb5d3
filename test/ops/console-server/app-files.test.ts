import { gzipSync } from 'node:zlib';
import { appFiles } from '../../../ops/console-server/app-files.ts';

test('the app is at most 96 KB when compressed, and loads nothing from other hosts', async () => {
  const files = [...(await appFiles()).values()].map(({ content }) => Buffer.from(content));
  const zipped = files.reduce((sum, content) => sum + gzipSync(content).length, 0);
  expect(zipped).toBeLessThanOrEqual(96 * 1024);
  expect(zipped).toBeGreaterThan(10 * 1024);
  const text = Buffer.concat(files).toString();
  const hosts = [...text.matchAll(/(?:fetch\(|src=|url\(|@import )["'`]?https?:/g)];
  expect(hosts).toEqual([]);
});
