import { isDeepStrictEqual } from 'node:util';
import { failureMessage } from '../../core/base/messages.ts';
import { type Link, statusAt } from '../../core/links/link.ts';
import { segmentCounters } from '../../core/links/link-list.ts';
import { linksLeft } from '../../core/links/make-link.ts';
import { operator } from '../links/links.ts';
import type { Candidate } from './candidate.ts';
import type { CheckedRow, ImportContext } from './checked-row.ts';
import {
  type DeviceDifference,
  destinationsByDevice,
  deviceDifferences,
  ruledDevices,
} from './device-destinations.ts';
import { differences, heldFields } from './held-fields.ts';
import { outcome, type RowOutcome } from './row-outcome.ts';

/** Concurrent transactions. */
const writers = 4;

/** Stores the new links of a batch and resolves to the outcomes of its rows, in order. */
export const storeBatch = async (checked: readonly (CheckedRow | RowOutcome)[], context: ImportContext) => {
  const rows = checked.filter((one) => 'row' in one);
  const fresh = rows.filter(({ stored }) => !stored);
  const room = await roomFor(fresh.length, context);
  const beyond = new Set(fresh.slice(room));
  const created = await create(fresh.slice(0, room), context);
  const there = await thereNow(rows, created, context);
  const limit = context.deployment.linksPerProject ?? 0;
  return checked.map((one) => {
    if (!('row' in one)) return one;
    if (beyond.has(one))
      return outcome(one.row, 'refused', {
        remarks: [{ reason: failureMessage('tooManyLinks', { limit }) }],
      });
    const { code } = one.row;
    return created.has(code)
      ? outcome(one.row, 'created', findings(one, there.get(code), context))
      : compared(one, there.get(code), context);
  });
};

/** The number of the wanted new links for which the project has room. */
const roomFor = async (wanted: number, { deployment, project, planned }: ImportContext): Promise<number> => {
  if (wanted === 0) return 0;
  const left = await linksLeft({
    links: deployment.stores.links,
    project,
    limit: deployment.linksPerProject,
  });
  return Math.min(wanted, Math.max(0, left - planned.links));
};

/** Stores links; resolves to the codes that were free. A dry run assumes that all are. */
const create = async (
  rows: readonly CheckedRow[],
  { deployment, request, project, segments, planned }: ImportContext,
): Promise<ReadonlySet<string>> => {
  const links = rows.map(({ candidate }) => candidate.link);
  if (request.dryRun) planned.links += links.length;
  if (request.dryRun) return new Set(links.map(({ code }) => code));
  const share = Math.ceil(links.length / writers);
  const created = await Promise.all(
    Array.from({ length: writers }, (_, writer) =>
      deployment.stores.linkImports.create(links.slice(writer * share, (writer + 1) * share), {
        project,
        segments,
        // A counter that creations by the API don't use.
        counter: segmentCounters + writer,
        change: { now: new Date(), by: operator, isQuiet: request.noEvents },
      }),
    ),
  );
  return new Set(created.flatMap((codes) => [...codes]));
};

/** The links of rows after writing; read again to verify them, or if a concurrent call took a code. */
const thereNow = async (
  rows: readonly CheckedRow[],
  created: ReadonlySet<string>,
  { deployment, request, project }: ImportContext,
): Promise<ReadonlyMap<string, Link>> => {
  const before = rows.flatMap(({ stored }) => stored ?? []);
  const open = rows
    .filter(({ stored, row }) => (request.verify ? true : !stored && !created.has(row.code)))
    .map(({ row }) => row.code);
  const known = new Map(before.map((link) => [link.code, link]));
  if (request.dryRun) return known;
  return new Map([...known, ...(await deployment.stores.linkImports.find(project.id, open))]);
};

const compared = (checked: CheckedRow, found: Link | undefined, context: ImportContext): RowOutcome => {
  const { row, candidate } = checked;
  if (!found || found.status === 'DELETED')
    return outcome(row, 'conflict', { remarks: [{ reason: 'the code belongs to a link that was deleted' }] });
  const apps = { find: (id: string | undefined) => context.rules.apps.find(id), now: context.now };
  const differs = differences(
    heldFields(found, context.source, apps),
    heldFields(candidate.link, context.source, apps),
    context.source,
  );
  const rest = findings(checked, found, context);
  return outcome(row, differs.length === 0 ? 'unchanged' : 'conflict', { ...rest, remarks: differs });
};

/** Remarks on a row in addition to its result. */
const findings = (checked: CheckedRow, found: Link | undefined, context: ImportContext) => {
  const { lost, notes, link } = checked.candidate;
  const proven = found ?? (context.request.dryRun ? link : undefined);
  const isMissing = context.request.verify && !proven;
  return {
    notes: isMissing ? ['it is not stored', ...notes] : notes,
    lost,
    differences: context.request.verify && proven ? differencesFrom(checked, proven, context) : [],
  };
};

const nowhere = { android: 'nowhere', iphone: 'nowhere', ipad: 'nowhere', desktop: 'nowhere' };

/** Destinations of the stored or planned link that differ from the row's source. */
const differencesFrom = (
  { row, candidate }: CheckedRow,
  link: Link | Candidate['link'],
  { rules, now }: ImportContext,
): DeviceDifference[] => {
  // A link that has ended or was closed here, but not in the file, leads nowhere on any device.
  const isDead = statusAt(link, now) !== 'ACTIVE' && statusAt(candidate.link, now) === 'ACTIVE';
  const here = isDead ? nowhere : destinationsByDevice(link, rules.apps, now);
  const there = row.led ?? destinationsByDevice(candidate.link, rules.apps, now);
  return isDead || isDeepStrictEqual(link.payload.rules, candidate.link.payload.rules)
    ? deviceDifferences(here, there)
    : deviceDifferences({ ...here, ...ruledDevices(link) }, { ...there, ...ruledDevices(candidate.link) });
};
