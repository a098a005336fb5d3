import { appSections } from '../../core/apps/app-fields.ts';
import { type Link, statusAt } from '../../core/links/link.ts';
import { type FindApp, flatPayload, textOf } from '../../core/links/link-columns.ts';
import { type OwnFields, ownFieldsOf } from '../../core/links/own-fields.ts';
import type { LinkPayload } from '../../core/links/payload-fields.ts';
import type { ImportWarning, Source } from './row.ts';
import { anyPlace, inColumnNames } from './row-outcome.ts';

/** A payload with existing apps only: ids of deleted apps are dropped. */
const livePayload = (payload: LinkPayload, find: FindApp): LinkPayload => {
  const live = { ...payload };
  for (const { appId } of appSections) if (!find(payload[appId])) delete live[appId];
  return live;
};

/** A link's status without its block. */
export const ownersStatus = (link: Pick<Link, 'status' | 'expiresAt'>, now: Date) =>
  statusAt({ status: link.status, expiresAt: link.expiresAt }, now);

/** The parts of a link that a file can hold, by field. */
export const heldFields = (
  link: OwnFields & Pick<Link, 'status' | 'payload'> & { readonly blockedAt?: string | undefined },
  { holds, isFlat }: Pick<Source, 'holds' | 'isFlat'>,
  { find, now }: { readonly find: FindApp; readonly now: Date },
): Map<string, string> => {
  const blocked = link.blockedAt === undefined ? undefined : true;
  const { data, ...rest } = (isFlat ? flatPayload : livePayload)(link.payload, find);
  const payload = { ...rest, data: textOf(data) };
  const own = { ...ownFieldsOf(link), tags: link.tags?.join(', ') };
  // Formats without a field for blocks show a blocked link as paused.
  const status = holds('blocked') ? ownersStatus(link, now) : statusAt(link, now);
  const fields = flatten({ ...own, status, payload, blocked });
  // An empty cell means that nothing is set.
  return new Map(fields.filter(([field, value]) => holds(field) && !(isFlat && value === '')));
};

const flatten = (value: unknown, path = ''): [string, string][] => {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') return [[path, String(value)]];
  return Object.entries(value).flatMap(([name, part]) =>
    flatten(part, path === '' ? name : `${path}.${name}`),
  );
};

/** The fields in which two links differ, with both values. */
export const differences = (
  stored: ReadonlyMap<string, string>,
  given: ReadonlyMap<string, string>,
  source: Pick<Source, 'isFlat'>,
): ImportWarning[] =>
  [...new Set([...stored.keys(), ...given.keys()])]
    .filter((field) => stored.get(field) !== given.get(field))
    .map((field) => ({
      name: inColumnNames(field, source),
      values: [stored, given].map((of) => of.get(field) ?? 'not set'),
    }))
    .map(({ name, values: [here, there] }) => ({
      reason: `the stored link has another ${anyPlace(name)}`,
      detail: `${name} here: ${here}; in the file: ${there}`,
    }));
