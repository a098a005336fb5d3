import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Deployment } from '../../ops/deployment/deployment.ts';
import { importLinks, type RowOutcome } from '../../ops/transfer/import.ts';
import type { ImportRequest } from '../../ops/transfer/import-request.ts';
import { newFolder } from './folder.ts';

interface Given extends Partial<ImportRequest> {
  readonly text: string | Uint8Array;
  /** The file's name. */
  readonly name: string;
  readonly project: string;
}

/** Imports a text as a file. */
export const importText = async (
  deployment: Deployment,
  { text, name, ...request }: Given,
  eachRow: (row: RowOutcome) => unknown = () => undefined,
): Promise<RowOutcome[]> => {
  const file = path.join(newFolder(), name);
  writeFileSync(file, text);
  const rows: RowOutcome[] = [];
  for await (const row of importLinks(deployment, { file, newId: randomUUID, ...request })) {
    rows.push(row);
    await eachRow(row);
  }
  return rows;
};

/** Each row's result and reason. */
export const reasonsOf = (rows: readonly RowOutcome[]) => rows.map(({ result, reason }) => [result, reason]);
