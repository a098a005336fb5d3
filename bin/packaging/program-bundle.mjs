/** esbuild's options for a package's program: one folder of ES modules with all dependencies. */
export const programBundle = {
  bundle: true,
  splitting: true,
  minifySyntax: true,
  minifyWhitespace: true,
  platform: 'node',
  // Some packages' CommonJS can't be bundled.
  mainFields: ['module', 'main'],
  target: 'node20.19',
  format: 'esm',
  metafile: true,
  // CommonJS packages load Node's modules with it.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
};
