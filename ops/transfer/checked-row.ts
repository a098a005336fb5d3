import { Failure } from '../../core/base/failure.ts';
import { codePattern, type Link, namedApps } from '../../core/links/link.ts';
import { refuseManyTags } from '../../core/links/link-tags.ts';
import type { StoredProject } from '../../core/projects/project-store.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type Candidate, candidateOf, type Rules } from './candidate.ts';
import type { ImportRequest } from './import-request.ts';
import type { ImportWarning, Source, SourceRow } from './row.ts';
import { anyPlace, inColumnNames, outcome, type RowOutcome } from './row-outcome.ts';

/** The context for checking and storing a batch's rows. */
export interface ImportContext {
  readonly deployment: Deployment;
  readonly request: ImportRequest;
  readonly source: Source;
  readonly project: StoredProject;
  /** The segments of the project's list when the import began. */
  readonly segments: readonly string[];
  readonly rules: Rules;
  /** The project's tags, with those of new links of this file. */
  readonly tags: Set<string>;
  /** The first line of each code. */
  readonly linesOfCodes: Map<string, number>;
  /** Links that a dry run would have created so far. */
  readonly planned: { links: number };
  readonly now: Date;
}

/** A row with a valid link, and the stored link under its code. */
export interface CheckedRow {
  readonly row: SourceRow;
  readonly candidate: Candidate;
  readonly stored: Link | undefined;
}

/**
 * Checks the rows of a batch, and stores the apps that its new links name. Each result is a link to store or to
 * compare, or the outcome of a refused row.
 */
export const checkBatch = async (
  rows: readonly SourceRow[],
  context: ImportContext,
): Promise<(CheckedRow | RowOutcome)[]> => {
  const earlier = rows.map((row) => earlierLine(row, context.linesOfCodes));
  const codes = [...new Set(rows.map(({ code }) => code).filter((code) => codePattern.test(code)))];
  const stored = await context.deployment.stores.linkImports.find(context.project.id, codes);
  const checked: (CheckedRow | RowOutcome)[] = [];
  // Serially, because rows plan and store shared apps.
  for (const [i, row] of rows.entries()) {
    const line = earlier[i];
    checked.push(
      line === undefined
        ? await check(row, stored.get(row.code), context)
        : outcome(row, 'conflict', { remarks: [repeated(line)] }),
    );
  }
  return checked;
};

const repeated = (line: number): ImportWarning => ({
  reason: 'an earlier row has the code already',
  detail: `the code is in line ${line} already`,
});

/** The earlier line with a row's code; records the first one. */
const earlierLine = ({ code, line, isElsewhere }: SourceRow, lines: Map<string, number>) => {
  if (isElsewhere || !codePattern.test(code)) return undefined;
  const before = lines.get(code);
  if (before === undefined) lines.set(code, line);
  return before;
};

const check = async (
  row: SourceRow,
  stored: Link | undefined,
  { rules, request, source, tags, now }: ImportContext,
): Promise<CheckedRow | RowOutcome> => {
  let { notes = [], lost = [] }: Pick<Candidate, 'notes' | 'lost'> | SourceRow = row;
  if (row.fault) return outcome(row, 'refused', { remarks: [row.fault], notes, lost });
  try {
    for (;;) {
      const candidate = candidateOf(row, rules, now);
      if (!stored) planTags(candidate.link.tags, tags);
      ({ notes, lost } = candidate);
      if (stored || request.dryRun) return { row, candidate, stored };
      // Apps are stored before their links, so that no interruption leaves a link without its app.
      if (await rules.apps.store(namedApps(candidate.link.payload).map(({ id }) => id)))
        return { row, candidate, stored };
    }
  } catch (error) {
    if (error instanceof Failure)
      return outcome(row, 'refused', { remarks: [remarkOf(error, source)], notes, lost });
    throw error;
  }
};

/** The first fault in the API's words. Names of unknown fields and hosts come from the row, so the reason lacks them. */
const remarkOf = ({ faults: [first], message }: Failure, source: Source): ImportWarning => {
  if (!first) return { reason: message };
  const field = anyPlace(first.field);
  const reason = first.message.startsWith('is unknown;')
    ? `${field.replace(/\.[^.]*$/, '')}: has a field that ${first.message}`
    : `${field}: ${first.message.replace(/(reserved host) \(.*\)$/, '$1')}`;
  return { reason: inColumnNames(reason, source), detail: inColumnNames(message, source) };
};

/** Counts the tags of a new link. Throws VALIDATION_ERROR if the project has no room for them. */
const planTags = (given: readonly string[] = [], known: Set<string>): void => {
  refuseManyTags(given, known);
  for (const tag of given) known.add(tag);
};
