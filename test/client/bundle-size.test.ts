import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

const client = path.join(import.meta.dirname, '../../client');

/** A bundle of the whole entry. */
const bundled = (entry: string) => {
  const { outputFiles, metafile } = buildSync({
    entryPoints: [path.join(client, entry)],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    // No Node, no browser: any foreign import fails the build.
    platform: 'neutral',
    mainFields: [],
    // An app has it.
    external: ['react'],
  });
  return { inputs: Object.keys(metafile.inputs), bytes: gzipSync(outputFiles[0]?.contents ?? '').length };
};

test.each([
  ['index.ts', 6000],
  ['app.ts', 3000],
  ['react-native.ts', 3000],
  ['firebase.ts', 4096],
])('the whole of %s takes at most %d bytes, compressed, and imports no package', (entry, most) => {
  const { inputs, bytes } = bundled(entry);
  expect(bytes).toBeLessThanOrEqual(most);
  expect(inputs.filter((input) => !/^client\/[\w-]+\.ts$/.test(input))).toEqual([]);
});
