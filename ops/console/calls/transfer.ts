import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { linkCode } from '../../../core/links/stored-link-schema.ts';
import { exportFormats, exportLinks } from '../../transfer/export.ts';
import { importFormats } from '../../transfer/formats.ts';
import { countRow, importLinks, noRows, type RowOutcome } from '../../transfer/import.ts';
import { consoleCall } from '../call.ts';
import { project } from './projects.ts';

/** Rows that a report shows one by one; the rest are counted. */
const rowsShown = 500;

export const transferCalls = {
  /** Every link of a project, or those of some codes, as the text of a file. */
  exportLinks: consoleCall(
    z.object({ project, format: z.enum(exportFormats), codes: z.array(linkCode).optional() }),
    async (input, { target, progress }) => {
      const of = input.codes?.length ?? (await target.stores.links.count(input.project));
      const parts: string[] = [];
      const notes: string[] = [];
      const note = (text: string) => notes.push(text);
      // Links that others create meanwhile are written, too.
      const onCount = (done: number) => progress({ done, of: Math.max(of, done) });
      const links = await exportLinks(target, { ...input, note, onCount }, async (text) => {
        parts.push(text);
      });
      return { links, text: parts.join(''), notes };
    },
    { isFile: true },
  ),

  /** Imports a file, or says what an import would do. Ends after the batch in progress if its page is closed. */
  importLinks: consoleCall(
    z.object({
      project,
      /** Its bytes in base64, because only the import knows how to read them as text. */
      file: z.string(),
      name: z.string(),
      /** Left out where the file itself says it. */
      format: z.enum(importFormats).optional(),
      host: z.string().optional(),
      dryRun: z.boolean(),
    }),
    async ({ file: bytes, ...request }, { target, indexes, progress, signal }) => {
      // The import reads a file, so the bytes go into a new folder that nobody else can read.
      const folder = await mkdtemp(path.join(tmpdir(), 'links-import-'));
      try {
        const file = path.join(folder, 'links');
        await writeFile(file, bytes, { mode: 0o600, encoding: 'base64' });
        const totals = noRows(true);
        const rows: RowOutcome[] = [];
        const notes: string[] = [];
        const note = (said: string) => notes.push(said);
        const all = { ...request, file, verify: true, title: 'The file', note, newId: randomUUID, signal };
        let done = 0;
        for await (const row of importLinks(target, all)) {
          countRow(totals, row);
          done += 1;
          if (rows.length < rowsShown && row.reason !== '')
            rows.push({ ...row, reason: row.details.join('; ') });
          progress({ done });
        }
        return { totals, rows, notes };
      } finally {
        indexes.forget(request.project);
        await rm(folder, { recursive: true, force: true });
      }
    },
  ),
};
