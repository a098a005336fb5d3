import { limits } from '../base/limits.ts';
import { codeKey, expiryKey, type LinkId, linkKey, tableSchema } from '../table/keys.ts';
import type { Item, Part } from '../table/table.ts';
import { putNew, updateOf } from '../table/update.ts';
import type { Link } from './link.ts';
import { listPart } from './link-list.ts';
import { tagParts } from './link-tags.ts';
import { ownFieldNames, ownFieldsOf } from './own-fields.ts';

/* Writes for changes of links. */

const couldBeGenerated = new RegExp(`^[A-Za-z0-9]{${limits.generatedCodeLength}}$`);

/** Reserves a chosen code that looks generated, so that the generator doesn't pick it. */
export const reservation = (code: string): Part[] =>
  couldBeGenerated.test(code) ? [{ Put: { Item: codeKey(code) } }] : [];

/** Writes that move a link's expiry marker, an item whose deletion by TTL signals the expiry. */
export const expiryMarkerParts = ({ project, code }: LinkId, before?: string, expiresAt?: string): Part[] => {
  if (before === expiresAt) return [];
  const key = expiryKey(project, code);
  if (expiresAt === undefined) return [{ Delete: { Key: key } }];
  const ttl = Math.ceil(Date.parse(expiresAt) / 1000);
  return [{ Put: { Item: { ...key, project, code, expiresAt, [tableSchema.ttl]: ttl } } }];
};

/**
 * Writes of a new link except its count, which several links can share; `unique` reserves its code. An expired link
 * needs no marker.
 */
export const linkParts = (link: Link, unique: readonly Part[], change: Authorship): Part[] => [
  putNew(linkKey(link.project, link.code), { ...link, change: changeNote(change) }),
  listPart(link),
  ...tagParts(link, [], link.tags),
  ...unique,
  ...(link.status === 'EXPIRED' ? [] : expiryMarkerParts(link, undefined, link.expiresAt)),
];

/** The time and author of a change. */
export interface Authorship {
  readonly now: Date;
  readonly by?: string | undefined;
  /** Whether no event is emitted for it. */
  readonly isQuiet?: boolean | undefined;
}

/** The note of a change for its event. A write without one leaves the note of an earlier change. */
export const changeNote = ({ now, by, isQuiet }: Authorship) => ({
  at: now.toISOString(),
  // Distinguishes it from another change's note in the same millisecond.
  mark: crypto.randomUUID().slice(0, 8),
  ...(by !== undefined && { by }),
  ...(isQuiet && { quiet: true }),
});

/** The time of an item's last change that has a note; 0 if none has. */
const notedAt = ({ change }: Item): number =>
  change ? Date.parse((change as ReturnType<typeof changeNote>).at) : 0;

/** When an expired link expired: later than the change before, which can be a block after `expiresAt`. */
export const expiredAt = (item: Item): number =>
  Math.max(Date.parse(String(item.expiresAt)), notedAt(item) + 1);

/** The change, later than the item's last one, so that times order a link's changes however close they are. */
export const later = <Change extends Authorship>(change: Change, item: Item = {}): Change => {
  const last = item.status === 'EXPIRED' ? expiredAt(item) : notedAt(item);
  return { ...change, now: new Date(Math.max(change.now.getTime(), last + 1)) };
};

/** A condition that the item's last change is before `:updatedAt`. */
export const isLater = '(attribute_not_exists(#change) OR #change.#at < :updatedAt)';

export const isLiving = '#status <> :deleted';
const wasRead = '(attribute_not_exists(#revision) OR #revision = :seen)';
export const living = { deleted: 'DELETED' };
const active = { active: 'ACTIVE', paused: 'PAUSED' };

/** Attributes that every change of a link sets. */
export const changedBy = (change: Authorship) => ({
  change: changeNote(change),
  updatedAt: change.now.toISOString(),
  updatedBy: change.by,
});

/** Conditions for the states in which a link may be changed. */
const changeable = {
  live: { when: 'attribute_not_exists(#blockedAt) AND #status IN (:active, :paused)', values: active },
  any: { when: isLiving, values: living },
};
export type ChangeableState = keyof typeof changeable;

/** An update of a link's content that fails if its revision has changed. */
export const replaceContent = (link: Link, seen: number, change: Authorship, state: ChangeableState) =>
  updateOf(linkKey(link.project, link.code), {
    set: { ...ownFieldsOf(link), payload: link.payload, revision: seen + 1, ...changedBy(change) },
    remove: [
      ...ownFieldNames.filter((name) => link[name] === undefined),
      ...(change.by === undefined ? ['updatedBy'] : []),
    ],
    when: `${changeable[state].when} AND ${wasRead} AND ${isLater}`,
    values: { ...changeable[state].values, seen },
  });
