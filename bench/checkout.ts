import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Serving, serveStack } from './serving.ts';

/** The stack of a checkout, run by that checkout's own code, with roles checked. */
export interface Checkout {
  readonly serving: Serving;
  readonly data: string;
  /** Duration of the start in milliseconds. */
  readonly startedIn: number;
}

/** Ends the names of the other checkout's measurements. */
export const elsewhere = ', the other checkout';

export const thisCheckout = path.join(import.meta.dirname, '..');

export const serveCheckout = async (folder: string, assembly?: string): Promise<Checkout> => {
  const data = mkdtempSync(path.join(tmpdir(), 'bench-'));
  // The function had another name until 1.2.
  const own: Record<'serve' | 'serveStack', typeof serveStack | undefined> = await import(
    path.join(folder, 'bench/serving.ts')
  );
  const serveOwn = own.serveStack ?? own.serve;
  if (!serveOwn) throw new Error(`${folder} is no checkout of this service`);
  const assembled = assembly ?? (await assembledIn(folder));
  const begun = performance.now();
  const serving = await serveOwn(assembled, { enforceIam: true, data });
  return { serving, data, startedIn: performance.now() - begun };
};

/** The assembler's file in a checkout: now, until 1.3.0 and until 1.1.0. */
const assemblers = ['dev/app.ts', 'ops/start/app.ts', 'ops/local/app.ts'];

const assembledIn = async (folder: string): Promise<string> => {
  const file = assemblers.map((one) => path.join(folder, one)).find(existsSync);
  if (file === undefined) throw new Error(`${folder} is no checkout of this service`);
  const app: { assemble(): Promise<string> } = await import(file);
  return app.assemble();
};
