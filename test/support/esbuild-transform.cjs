const { transformSync } = require('esbuild');

module.exports = {
  process: (source, path) =>
    transformSync(source, {
      sourcefile: path,
      loader: path.endsWith('ts') ? 'ts' : 'js',
      format: 'cjs',
      target: 'node24',
      sourcemap: 'inline',
      define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
    }),
};
