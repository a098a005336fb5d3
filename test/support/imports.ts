import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Deployment } from '../../ops/deployment/deployment.ts';
import { importLinks, type RowOutcome } from '../../ops/transfer/import.ts';
import type { ImportRequest } from '../../ops/transfer/import-request.ts';

/** Imports a text as a file of this name. */
export const importText = async (
  target: Deployment,
  { text, name, ...request }: { text: string; name: string; project: string } & Partial<ImportRequest>,
): Promise<RowOutcome[]> => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'import-')), name);
  writeFileSync(file, text);
  const rows: RowOutcome[] = [];
  for await (const row of importLinks(target, { file, newId: randomUUID, ...request })) rows.push(row);
  return rows;
};
