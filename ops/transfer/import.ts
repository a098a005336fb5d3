import { Failure } from '../../core/failure.ts';
import { codePattern, type Link } from '../../core/links/link.ts';
import { namedApps } from '../../core/links/link-draft.ts';
import type { Domain } from '../../core/projects/domain-store.ts';
import type { StoredProject } from '../../core/projects/project-store.ts';
import { type Addresses, faultsAmong } from '../../core/short-urls/destination-store.ts';
import { findProject } from '../projects.ts';
import type { Target } from '../target.ts';
import { type Candidate, candidateOf, type Rules } from './candidate.ts';
import { differences, held } from './flat.ts';
import { type ImportFormat, openSource } from './formats.ts';
import { ProjectApps } from './project-apps.ts';
import { detours, leads } from './proof.ts';
import type { Source, SourceRow } from './row.ts';

const results = ['created', 'unchanged', 'conflict', 'refused'] as const;

/** What became of a row. */
export interface RowOutcome {
  readonly line: number;
  readonly code: string;
  readonly result: (typeof results)[number];
  /** Why, and what of the row has no place here; empty if there is nothing to say. */
  readonly reason: string;
}

export type ImportTotals = Record<(typeof results)[number], number>;

export interface ImportRequest {
  readonly file: string;
  readonly project: string;
  /** By default what the file's name says. */
  readonly format?: ImportFormat | undefined;
  /** A host of the source's that counts as the project's. */
  readonly host?: string | undefined;
  /** Writes nothing; the outcomes are those that an import would have. */
  readonly dryRun?: boolean | undefined;
  /** Says of each row where it leads elsewhere than at its source. */
  readonly verify?: boolean | undefined;
  readonly newId: () => string;
}

/** Rows that are looked up at once. */
const batchSize = 100;
/** Links that are written at once, each with a counter of its own. */
const writers = 8;

/**
 * Imports a file of links and yields what became of each row, in its order. It stops at no row, and what it did once
 * it finds unchanged the next time, so that repeating it goes on after any interruption. Throws OperatorError for a
 * missing project or file.
 */
export async function* importLinks(target: Target, request: ImportRequest): AsyncGenerator<RowOutcome> {
  const found = await findProject(target, request.project);
  const domains = await target.stores.domains.list();
  const own = domains.filter(({ project }) => project === found.id);
  const hosts = own.map(({ host }) => host);
  const source = await openSource(request.file, request.format, {
    given: request.host?.toLowerCase(),
    own: hosts,
  });
  const addressFaults = await addressRules(target, domains);
  const apps = await ProjectApps.of(target, found.id, request.newId);
  const segments = await target.stores.linkImports.segments(found.id);
  const linesOfCodes = new Map<string, number>();
  for await (const rows of batchesOf(source.rows)) {
    // New links go where the project's list has come to in the meantime.
    const project = await target.stores.projects.get(found.id);
    const rules = {
      project: found.id,
      addressFaults,
      apps,
      isLenient: source.isLenient,
    };
    yield* await importBatch(rows, { target, request, source, project, segments, rules, linesOfCodes });
  }
}

/** The rules for addresses as they are when an import begins: a read of them for each row would take its time. */
const addressRules = async ({ stores, shortBase }: Target, domains: readonly Domain[]) => {
  const own = new Set([new URL(shortBase).hostname, ...domains.map(({ host }) => host.replace(/:\d+$/, ''))]);
  const denied = new Set((await stores.destinations.list()).map(({ host }) => host));
  return async (addresses: Addresses) =>
    faultsAmong(addresses, { isOwn: (host) => own.has(host), isDenied: (domain) => denied.has(domain) });
};

interface Work {
  readonly target: Target;
  readonly request: ImportRequest;
  readonly source: Source;
  readonly project: StoredProject;
  readonly segments: readonly string[];
  readonly rules: Rules;
  /** Where each code came first. */
  readonly linesOfCodes: Map<string, number>;
}

async function* batchesOf(rows: AsyncIterable<SourceRow>): AsyncGenerator<SourceRow[]> {
  let batch: SourceRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const importBatch = async (rows: readonly SourceRow[], work: Work): Promise<RowOutcome[]> => {
  const now = new Date();
  const earlier = rows.map((row) => earlierLine(row, work.linesOfCodes));
  const codes = [...new Set(rows.map(({ code }) => code).filter((code) => codePattern.test(code)))];
  const stored = await work.target.stores.linkImports.find(work.project.id, codes);
  const judged: (Judged | RowOutcome)[] = [];
  // One after the other: rows plan the apps that they share.
  for (const [i, row] of rows.entries()) {
    const line = earlier[i];
    judged.push(
      line === undefined
        ? await judge(row, { stored: stored.get(row.code), now }, work)
        : outcome(row, 'conflict', `the code stands in line ${line} already`),
    );
  }
  return finishAll(judged, work, now);
};

/** Where a row's code came before; keeps where it comes first. */
const earlierLine = ({ code, line }: SourceRow, lines: Map<string, number>): number | undefined => {
  if (!codePattern.test(code)) return undefined;
  const before = lines.get(code);
  if (before === undefined) lines.set(code, line);
  return before;
};

interface Judged {
  readonly row: SourceRow;
  readonly candidate: Candidate;
  readonly stored: Link | undefined;
}

const outcome = (
  { line, code }: SourceRow,
  result: RowOutcome['result'],
  ...reasons: string[]
): RowOutcome => ({
  line,
  code,
  result,
  reason: reasons.join('; '),
});

const judge = async (
  row: SourceRow,
  { stored, now }: { readonly stored: Link | undefined; readonly now: Date },
  { rules }: Work,
): Promise<Judged | RowOutcome> => {
  try {
    return { row, candidate: await candidateOf(row, rules, now), stored };
  } catch (error) {
    if (error instanceof Failure) return outcome(row, 'refused', error.message, ...(row.notes ?? []));
    throw error;
  }
};

const finishAll = async (
  judged: readonly (Judged | RowOutcome)[],
  work: Work,
  now: Date,
): Promise<RowOutcome[]> => {
  const outcomes: RowOutcome[] = [];
  let next = 0;
  const write = async (counter: number) => {
    while (next < judged.length) {
      const place = next;
      next += 1;
      const one = judged[place];
      if (one) outcomes[place] = 'result' in one ? one : await finish(one, { ...work, counter, now });
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, counter) => write(counter)));
  return outcomes;
};

interface Turn extends Work {
  readonly counter: number;
  readonly now: Date;
}

const finish = async (judged: Judged, turn: Turn): Promise<RowOutcome> => {
  const { row, candidate, stored } = judged;
  try {
    if (!stored && (turn.request.dryRun || (await create(candidate, turn))))
      return outcome(row, 'created', ...candidate.notes, ...(await proof(judged, turn)));
    // Somebody else took the code in the meantime.
    const taken =
      stored ?? (await turn.target.stores.linkImports.find(turn.project.id, [row.code])).get(row.code);
    return compared({ ...judged, stored: taken }, turn);
  } catch (error) {
    if (error instanceof Failure) return outcome(row, 'refused', error.message, ...candidate.notes);
    throw error;
  }
};

const create = async ({ link, isNew }: Candidate, turn: Turn): Promise<boolean> => {
  await turn.rules.apps.store(namedApps(link.payload).map(({ id }) => id));
  const { project, segments, counter } = turn;
  return turn.target.stores.linkImports.create(link, { project, segments, isNew, counter });
};

const compared = async (judged: Judged, turn: Turn): Promise<RowOutcome> => {
  const { row, candidate, stored } = judged;
  if (!stored || stored.status === 'DELETED')
    return outcome(row, 'conflict', 'the code belongs to a link that was deleted');
  const apps = { find: (id: string | undefined) => turn.rules.apps.find(id), now: turn.now };
  const differs = differences(held(stored, turn.source, apps), held(candidate.link, turn.source, apps));
  const told = [...candidate.notes, ...(await proof(judged, turn))];
  return differs.length === 0
    ? outcome(row, 'unchanged', ...told)
    : outcome(row, 'conflict', ...differs, ...told);
};

/** Where the link that is stored leads elsewhere than the row's source did. */
const proof = async ({ row, candidate, stored }: Judged, turn: Turn): Promise<string[]> => {
  const { request, rules, target, project, now } = turn;
  if (!request.verify) return [];
  const found = request.dryRun
    ? (stored ?? candidate.link)
    : (await target.stores.linkImports.find(project.id, [row.code])).get(row.code);
  if (!found) return ['it is not stored'];
  return detours(leads(found, rules.apps, now), row.led ?? leads(candidate.link, rules.apps, now));
};
