import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Paths of short URLs as they arrive, each with its destination: `link`, a file of the link, or `nothing`. */
export const shortUrlEndings = readFileSync(
  path.join(import.meta.dirname, '../corpus/short-url-endings.tsv'),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .map((line) => {
    const [written = '', leads = '', source] = line.split('\t');
    if (!source) throw new Error(`A line of the corpus lacks its source: ${line}`);
    return [written, leads] as const;
  });
