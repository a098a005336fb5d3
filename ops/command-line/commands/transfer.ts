import { randomUUID } from 'node:crypto';
import { hostIn } from '../../../core/hosts/host-name.ts';
import { Interrupted, reading, UsageError } from '../../base/operator-error.ts';
import type { ImportTotals, RowOutcome } from '../../transfer/import.ts';
import type { Report } from '../../transfer/report.ts';
import { type Context, choice, command, flag, optional, read, required } from '../command.ts';

const project = required('ID', 'the project');

export const transferCommands = [
  command('link export', {
    summary: 'Export all links of a project, except deleted ones',
    options: {
      project,
      format: choice(['ndjson', 'csv'], 'JSON lines with everything, or a table (default: ndjson)'),
      tag: optional('A,B', 'only links that have all of these tags'),
      out: optional('FILE', 'where to write (default: standard output)'),
    },
    run: async ({ project, format, tag, out }, { deployment, isJson, write, progress }) => {
      const { exportLinks } = await import('../../transfer/export.ts');
      const { writeFile } = await import('../../transfer/output-file.ts');
      if (isJson && out === undefined)
        throw new UsageError('--json needs --out FILE: without it, standard output is for the links');
      const { typedTags } = await import('../../links/tags.ts');
      const request = { project, format, tags: typedTags(tag, '--tag'), note: progress };
      if (out === undefined) {
        await exportLinks(await deployment(), request, write);
        return undefined;
      }
      const links = await writeFile(out, async (sink) => exportLinks(await deployment(), request, sink));
      return { links, out };
    },
  }),
  command('link import', {
    summary: 'Import links from a file; repeat the command to continue after an interruption',
    arguments: { file: required('FILE', 'the file to read') },
    options: {
      project,
      format: choice(
        ['ndjson', 'csv', 'firebase', 'bitly'],
        'the service that wrote the file (default: detected from the file; csv recognizes other services by their header)',
      ),
      host: read(
        {
          placeholder: 'HOST',
          description: "the host of its short links, if the project doesn't have it yet",
        },
        reading(hostIn),
      ),
      dryRun: flag('write nothing, only report what an import would do'),
      verify: flag(
        'report links that lead elsewhere than at their source, on Android, iPhone, iPad and desktop',
      ),
      noEvents: flag('emit no events for the new links'),
      report: optional('FILE', 'write the result of each row to this file, as JSON lines'),
    },
    run: async ({ report: file, ...request }, context) => {
      const { importLinks, isClean } = await import('../../transfer/import.ts');
      const { isSameFile } = await import('../../transfer/output-file.ts');
      const { openReport } = await import('../../transfer/report.ts');
      if (file !== undefined && (await isSameFile(file, request.file)))
        throw new UsageError('--report must not be the file to import: name another file');
      const report = file === undefined ? undefined : await openReport(file);
      try {
        const note = context.progress;
        const deployment = await context.deployment();
        const signal = context.interruption?.();
        let total = 0;
        const counted = (count: number) => {
          total = count;
        };
        const rows = importLinks(deployment, { ...request, note, counted, newId: randomUUID, signal });
        const totals = await follow(rows, context, { report, verify: request.verify, total: () => total });
        const missing = await report?.finish();
        if (signal?.aborted) throw new Interrupted(stoppedAfter(totals));
        if (missing !== undefined) context.progress(`The report is missing. ${missing}`);
        else if (file !== undefined && !context.isJson) context.progress(`Each row has its line in ${file}`);
        if (!isClean(totals) || missing !== undefined) context.fail();
        return totals;
      } catch (error) {
        context.redraw?.('');
        await report?.discard();
        throw error;
      }
    },
  }),
];

const stoppedAfter = (totals: ImportTotals): string => {
  const counts = Object.entries(totals).map(([name, count]) => `${name} ${count}`);
  return `Stopped: ${counts.join(', ')}. Run it again to continue`;
};

const follow = async (
  rows: AsyncIterable<RowOutcome>,
  { isJson, write, progress, redraw }: Context,
  {
    report,
    verify,
    total,
  }: {
    readonly report: Report | undefined;
    readonly verify: boolean | undefined;
    readonly total: () => number;
  },
): Promise<ImportTotals> => {
  const { countRow, noRows } = await import('../../transfer/import.ts');
  const { importLines, progressLine } = await import('../import-lines.ts');
  const totals = noRows(verify);
  const lines = importLines();
  const started = Date.now();
  let done = 0;
  for await (const row of rows) {
    countRow(totals, row);
    done += 1;
    await report?.add(row);
    const line = isJson ? undefined : lines.of(row);
    if (line !== undefined) {
      redraw?.('');
      await write(`${line}\n`);
    }
    const ms = Date.now() - started;
    if (redraw && done % 100 === 0) redraw(progressLine(done, total(), ms));
    else if (!redraw && done % 1000 === 0)
      progress(`${done.toLocaleString('en')} rows in ${Math.round(ms / 1000)} s`);
  }
  redraw?.('');
  for (const line of lines.rest()) await write(`${line}\n`);
  return totals;
};
