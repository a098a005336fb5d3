import { existsSync, globSync, linkSync, mkdirSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { rewriteBundles } from '../lib/bundles.ts';
import { app } from './app.ts';

/**
 * A copy of an assembly with bundles of the present sources: most changes affect nothing else, and a synthesis takes
 * two seconds. Undefined if other parts may differ.
 */
export const rebundled = (assembly: string, changed: readonly string[]): string | undefined => {
  const graph = importGraph();
  const isIn = (entry: string) => changed.some((file) => reachedFrom(entry, graph).has(file));
  const isBundled = (file: string) => /^(lambdas|core)\//.test(file) && graph.has(file);
  if (!changed.every(isBundled) || templates.some(isIn)) return undefined;
  const bundles = bundlesIn(assembly, graph);
  if (bundles.some(({ entry }) => entry === undefined)) return undefined;
  const affected = bundles.filter(({ entry = '' }) => isIn(entry));
  const next = mkdtempSync(path.join(path.dirname(assembly), 'changed-'));
  linkAll(assembly, next, affected);
  const nameOf = (entry = '') => entry.slice('lambdas/'.length, -'.ts'.length);
  rewriteBundles(new Map(affected.map(({ folder, entry }) => [path.join(next, folder), nameOf(entry)])));
  return next;
};

/** Entries of the template, and of the pages next to bundles. */
const templates = ['bin/app.ts', 'console/member.tsx'];

type Graph = ReadonlyMap<string, readonly string[]>;

/** The imports of each source. */
const importGraph = (): Graph => {
  const { metafile } = buildSync({
    absWorkingDir: app,
    entryPoints: [...templates, 'lambdas/*.ts', 'lambdas/api/*.ts'],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir: 'nowhere',
    write: false,
    metafile: true,
    // The error contains the messages.
    logLevel: 'silent',
  });
  return new Map(
    Object.entries(metafile.inputs).map(([file, { imports }]) => [file, imports.map((one) => one.path)]),
  );
};

const reachedFrom = (entry: string, graph: Graph): ReadonlySet<string> => {
  const reached = new Set([entry]);
  for (const file of reached) for (const imported of graph.get(file) ?? []) reached.add(imported);
  return reached;
};

interface Bundle {
  /** Folder of its asset in the assembly. */
  readonly folder: string;
  /** The entry; undefined if it has changed since. */
  readonly entry: string | undefined;
}

/** The bundles of an assembly. Their source maps list the sources: the entry imports the others. */
const bundlesIn = (assembly: string, graph: Graph): Bundle[] =>
  globSync('asset.*/index.mjs.map', { cwd: assembly }).map((map) => {
    const text = readFileSync(path.join(assembly, map), 'utf8');
    const sources = [...text.matchAll(/"(?:\.\.\/)+(lambdas\/[^"]+)"/g)].map(([, source = '']) => source);
    const isEntry = (one: string) => {
      const reached = reachedFrom(one, graph);
      return sources.every((source) => reached.has(source));
    };
    return { folder: path.dirname(map), entry: sources.find(isEntry) };
  });

/** Links unchanged files, which take no space and must not be written. */
const linkAll = (assembly: string, next: string, affected: readonly Bundle[]): void => {
  for (const name of globSync('**', { cwd: assembly }).sort()) {
    const [from, to] = [path.join(assembly, name), path.join(next, name)];
    const isRewritten = affected.some(({ folder }) => folder === path.dirname(name)) && isOfBundle(from);
    if (statSync(from).isDirectory()) mkdirSync(to, { recursive: true });
    else if (!isRewritten) linkSync(from, to);
  }
};

const isOfBundle = (file: string): boolean => file.endsWith('.mjs.map') || existsSync(`${file}.map`);
