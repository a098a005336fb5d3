import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { limits } from '../core/base/limits.ts';
import { pictureType } from '../core/base/picture.ts';

/** A company's name and logo in the console's head. */
export interface Brand {
  readonly name?: string | undefined;
  /** The logo as a data URL. */
  readonly logo?: string | undefined;
}

const root = path.join(import.meta.dirname, '..');
/** Whether this is a package, which contains the consoles built and is used from another folder. */
export const isPackage = !existsSync(path.join(root, 'console/main.tsx'));

/** A file as a data URL; undefined unless it is a PNG, SVG or JPEG picture of at most 20 KB. */
export const logoUrl = (file: string): string | undefined => {
  const found = path.resolve(isPackage ? '.' : root, file);
  const content = contentOf(found);
  if (content === undefined) return undefined;
  const type = pictureType(content);
  return type && `data:${type};base64,${content.toString('base64')}`;
};

const contentOf = (file: string): Buffer | undefined => {
  try {
    const entry = statSync(file);
    return entry.isFile() && entry.size <= limits.logo ? readFileSync(file) : undefined;
  } catch {
    // No such file, a loop of links, or one that may not be read.
    return undefined;
  }
};

/** The first line of a page's script. */
const brandLine = (brand: Brand): string => `const brand=${JSON.stringify(brand)};`;

/** A built script with another brand. */
export const withBrand = (script: string, brand: Brand): string =>
  script.replace(/^.*/, () => brandLine(brand));

/** esbuild's options for one of the console's pages, for operators or members, by its entry file. */
export const consoleBundle = (app: string, brand: Brand = {}) =>
  ({
    absWorkingDir: path.join(root, 'console'),
    entryPoints: { app, style: 'style.css' },
    outdir: '/',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // The page routes and draws by the service’s own code, which asks Node for one thing.
    define: { 'process.getBuiltinModule': 'getBuiltinModule', FOR_OPERATORS: String(app === 'main.tsx') },
    banner: { js: brandLine(brand) },
    inject: ['node-net.ts'] as string[],
    // Only the code's modules, without the package's own ways to draw them.
    alias: { qrcode: 'qrcode/lib/core/qrcode.js' },
    logLevel: 'error',
  }) as const;
