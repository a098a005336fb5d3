const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { transformSync } = require('esbuild');

const own = readFileSync(__filename);

module.exports = {
  // Includes this file, whose changes jest doesn't detect.
  getCacheKey: (source, path) => createHash('sha256').update(own).update(path).update(source).digest('hex'),
  process: (source, path) =>
    transformSync(source, {
      sourcefile: path,
      loader: path.endsWith('ts') ? 'ts' : 'js',
      format: 'cjs',
      target: 'node24',
      // As require: jest runs CommonJS in a context that can't import.
      supported: { 'dynamic-import': false },
      sourcemap: 'inline',
      define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
    }),
};
