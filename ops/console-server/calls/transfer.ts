import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { linkCode } from '../../../core/links/stored-link-schema.ts';
import { temporaryFolder } from '../../base/temporary-folder.ts';
import { exportFormats, exportLinks } from '../../transfer/export.ts';
import { importFormats } from '../../transfer/formats.ts';
import { countRow, importLinks, noRows, type RowOutcome } from '../../transfer/import.ts';
import { consoleCall } from '../call.ts';
import { project } from './projects.ts';

/** Rows that a report lists; the rest are only counted. */
const rowsShown = 500;

export const transferCalls = {
  /** All links of a project, or those with the given codes, as the text of a file. */
  exportLinks: consoleCall(
    z.object({ project, format: z.enum(exportFormats), codes: z.array(linkCode).optional() }),
    async (input, { deployment, progress }) => {
      const of = input.codes?.length ?? (await deployment.stores.links.count(input.project));
      const parts: string[] = [];
      const notes: string[] = [];
      const note = (text: string) => notes.push(text);
      // Links created during the export are also written.
      const onCount = (done: number) => progress({ done, of: Math.max(of, done) });
      const links = await exportLinks(deployment, { ...input, note, onCount }, async (text) => {
        parts.push(text);
      });
      return { links, text: parts.join(''), notes };
    },
    { isFile: true },
  ),

  /** Imports a file, or previews an import. Ends after the current batch if the page is closed. */
  importLinks: consoleCall(
    z.object({
      project,
      /** The bytes in base64, because only the import can detect their encoding. */
      file: z.string(),
      name: z.string(),
      /** Omitted to detect it from the file. */
      format: z.enum(importFormats).optional(),
      host: z.string().optional(),
      dryRun: z.boolean(),
    }),
    async ({ file: bytes, ...request }, { deployment, indexes, progress, signal }) => {
      // The import reads from disk, so the bytes go into a new folder that no other user can read.
      await using folder = await temporaryFolder('links-import-');
      try {
        const file = path.join(folder.path, 'links');
        await writeFile(file, bytes, { mode: 0o600, encoding: 'base64' });
        const totals = noRows(true);
        const rows: RowOutcome[] = [];
        const notes: string[] = [];
        const note = (text: string) => notes.push(text);
        const all = { ...request, file, verify: true, title: 'The file', note, newId: randomUUID, signal };
        let done = 0;
        for await (const row of importLinks(deployment, all)) {
          countRow(totals, row);
          done += 1;
          if (rows.length < rowsShown && row.reason !== '')
            rows.push({ ...row, reason: row.details.join('; ') });
          progress({ done });
        }
        return { totals, rows, notes };
      } finally {
        indexes.forget(request.project);
      }
    },
  ),
};
