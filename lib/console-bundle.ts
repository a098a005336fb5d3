import path from 'node:path';

/** esbuild's options for one of the console's pages, for operators or members, by its entry file. */
export const consoleBundle = (app: string) =>
  ({
    absWorkingDir: path.join(import.meta.dirname, '../console'),
    entryPoints: { app, style: 'style.css' },
    outdir: '/',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // The page routes and draws by the service's own code, which asks Node and a larger package for two things.
    define: { 'process.getBuiltinModule': 'getBuiltinModule' },
    inject: ['node-net.ts'] as string[],
    alias: { qrcode: './qr-modules.ts' },
    logLevel: 'error',
  }) as const;
