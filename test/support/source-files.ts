import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.join(import.meta.dirname, '../..');

/** The TypeScript files under a folder, by their paths from the root. */
export const filesIn = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map((file) => path.join(folder, String(file)))
    .filter((file) => /\.tsx?$/.test(file) && !/\/(dist|node_modules)\//.test(file));

export const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Every file of the repository that a text imports, types included, by its path from the root. */
export const importsOf = (file: string, text = textOf(file)): string[] =>
  [...text.matchAll(/(?:^|\n)(?:import|export)(?:[^;]*? from)? '(\.[^']+)'|import\('(\.[^']+)'\)/g)].map(
    ([, named, loaded]) => path.join(path.dirname(file), named ?? loaded ?? ''),
  );
