import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The context of this checkout's `cdk.json`, which every synthesis has. */
export const cdkFlags = (): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, '../../cdk.json'), 'utf8')).context;
