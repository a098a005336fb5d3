import { limits } from '../base/limits.ts';
import { codeKey, expiryKey, type Key, type LinkId, linkKey, tableSchema } from '../table/keys.ts';
import type { Part } from '../table/table.ts';
import type { Link, LinkStatus } from './link.ts';
import { placeOf } from './link-list.ts';
import { delistTagged, listTagged } from './link-tags.ts';
import { ownFieldNames } from './own-fields.ts';

/* The writes that make up changes of links. */

/** Puts an item that must not be there yet. */
export const putNew = (key: Key, attributes: object): Part => ({
  Put: { Item: { ...key, ...attributes }, ConditionExpression: 'attribute_not_exists(PK)' },
});

/** Makes a generated code unique on the whole platform. */
export const claim = (code: string): Part[] => [putNew(codeKey(code), {})];

const couldBeGenerated = new RegExp(`^[A-Za-z0-9]{${limits.generatedCodeLength}}$`);

/** Reserves a chosen code that looks generated, so that the generator doesn't pick it. */
export const reservation = (code: string): Part[] =>
  couldBeGenerated.test(code) ? [{ Put: { Item: codeKey(code) } }] : [];

/** The places of a link among those with a tag follow its tags, in the same transaction. */
export const movedTags = (before: Link, after: Link): Part[] => [
  ...delistTagged(before, after.tags),
  ...listTagged(after, before.tags),
];

/** An item whose deletion by TTL signals the expiry; the link itself stays. */
const marker = ({ project, code, expiresAt }: LinkId & Pick<Link, 'expiresAt'>): Part[] => {
  if (expiresAt === undefined) return [];
  const ttl = Math.ceil(Date.parse(expiresAt) / 1000);
  return [
    { Put: { Item: { ...expiryKey(project, code), project, code, expiresAt, [tableSchema.ttl]: ttl } } },
  ];
};

/** The marker follows the expiry, in the same transaction. */
export const movedMarker = (before: Link, after: Link): Part[] => {
  if (before.expiresAt === after.expiresAt) return [];
  return after.expiresAt === undefined ? dropMarker(after) : marker(after);
};

export const dropMarker = ({ project, code }: LinkId): Part[] => [
  { Delete: { Key: expiryKey(project, code) } },
];

/**
 * The writes of a new link but for its count, which several links can share; `unique` are those that make its code the
 * only one. An expired link is stored as such and needs no marker.
 */
export const linkParts = (link: Link, unique: readonly Part[], change: Change): Part[] => [
  putNew(linkKey(link.project, link.code), { ...link, change: noted(change) }),
  { Put: { Item: placeOf(link) } },
  ...listTagged(link),
  ...unique,
  ...(link.status === 'EXPIRED' ? [] : marker(link)),
];

/** The time and author of a change. */
export interface Change {
  readonly now: Date;
  readonly by?: string | undefined;
  /** Whether nobody is told of it. */
  readonly isQuiet?: boolean | undefined;
}

/**
 * What is stored of a change for those who are told of it. Version 1.0.0 leaves the note of an earlier change in place: a
 * note that stays the same says nothing of who wrote.
 */
export const noted = ({ now, by, isQuiet }: Change) => ({
  at: now.toISOString(),
  ...(by !== undefined && { by }),
  ...(isQuiet && { quiet: true }),
});

/** Writes a link's content over the revision it was read at, as long as the link lives. */
export const replaceContent = (link: Link, revision: unknown, { now, by }: Change) => {
  const seen = Number(revision ?? 0);
  const fields = {
    payload: link.payload,
    ...Object.fromEntries(ownFieldNames.map((name) => [name, link[name]])),
    updatedAt: now.toISOString(),
    updatedBy: by,
    change: noted({ now, by }),
    revision: seen + 1,
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const cleared = Object.keys(fields).filter((field) => !given.some(([name]) => name === field));
  const remove = cleared.length > 0 ? ` REMOVE ${cleared.map((field) => `#${field}`).join(', ')}` : '';
  return {
    Key: linkKey(link.project, link.code),
    UpdateExpression: `SET ${given.map(([field]) => `#${field} = :${field}`).join(', ')}${remove}`,
    ConditionExpression:
      'attribute_not_exists(blockedAt) AND #status IN (:active, :paused) AND (attribute_not_exists(#revision) OR #revision = :seen)',
    ExpressionAttributeNames: {
      '#status': 'status',
      ...Object.fromEntries(Object.keys(fields).map((field) => [`#${field}`, field])),
    },
    ExpressionAttributeValues: {
      ':active': 'ACTIVE',
      ':paused': 'PAUSED',
      ':seen': seen,
      ...Object.fromEntries(given.map(([field, value]) => [`:${field}`, value])),
    },
  };
};

/** Writes a link's tags over the revision they were read at, whatever state it is in. */
export const replaceTags = ({ project, code, tags }: Link, revision: unknown, { now, by }: Change) => {
  const seen = Number(revision ?? 0);
  return {
    Key: linkKey(project, code),
    UpdateExpression: `SET updatedAt = :now, change = :change, #revision = :next${by === undefined ? '' : ', updatedBy = :by'}${tags ? ', #tags = :tags' : ' REMOVE #tags'}`,
    ConditionExpression: '#status <> :deleted AND (attribute_not_exists(#revision) OR #revision = :seen)',
    ExpressionAttributeNames: { '#status': 'status', '#revision': 'revision', '#tags': 'tags' },
    ExpressionAttributeValues: {
      ':deleted': 'DELETED',
      ':now': now.toISOString(),
      ':change': noted({ now, by }),
      ':seen': seen,
      ':next': seen + 1,
      ...(by !== undefined && { ':by': by }),
      ...(tags && { ':tags': tags }),
    },
  };
};

export const setStatus = (project: string, code: string, status: LinkStatus, { now, by }: Change) => ({
  Key: linkKey(project, code),
  UpdateExpression: `SET #status = :status, updatedAt = :now, change = :change${by === undefined ? '' : ', updatedBy = :by'}`,
  // A stored status of EXPIRED or DELETED can't be left, and an expiry that has passed counts as well.
  ConditionExpression:
    'attribute_not_exists(blockedAt) AND #status = :other AND (attribute_not_exists(expiresAt) OR expiresAt > :now)',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: {
    ':status': status,
    ':other': status === 'ACTIVE' ? 'PAUSED' : 'ACTIVE',
    ':now': now.toISOString(),
    ':change': noted({ now, by }),
    ...(by !== undefined && { ':by': by }),
  },
  ReturnValues: 'ALL_NEW' as const,
});

/** Blocks a link in any state. Blocking it again keeps the first time. */
export const block = (
  project: string,
  code: string,
  { now, by, isQuiet, reason }: Change & { readonly reason?: string | undefined },
) => ({
  Key: linkKey(project, code),
  UpdateExpression: `SET change = :change, blockedAt = if_not_exists(blockedAt, :now)${reason === undefined ? '' : ', blockedReason = :reason'}`,
  ConditionExpression: 'attribute_exists(PK) AND #status <> :deleted',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: {
    ':deleted': 'DELETED',
    ':now': now.toISOString(),
    ':change': noted({ now, by, isQuiet }),
    ...(reason !== undefined && { ':reason': reason }),
  },
});

/** Unblocks a deleted link, too: its code stays blocked until then. */
export const unblock = (project: string, code: string, change: Change) => ({
  Key: linkKey(project, code),
  UpdateExpression: 'SET change = :change REMOVE blockedAt, blockedReason',
  ConditionExpression: 'attribute_exists(blockedAt)',
  ExpressionAttributeValues: { ':change': noted(change) },
});

/** Spreads the visitors of a link over more groups. */
export const spread = (project: string, code: string, groups: number) => ({
  Key: linkKey(project, code),
  UpdateExpression: 'SET #groups = :groups',
  ConditionExpression: '#status <> :deleted AND (attribute_not_exists(#groups) OR #groups < :groups)',
  ExpressionAttributeNames: { '#status': 'status', '#groups': 'groups' },
  ExpressionAttributeValues: { ':deleted': 'DELETED', ':groups': groups },
});

export const markDeleted = (project: string, code: string, change: Change): Part => ({
  Update: {
    Key: linkKey(project, code),
    UpdateExpression: 'SET #status = :deleted, deletedAt = :now, updatedAt = :now, change = :change',
    ConditionExpression: '#status <> :deleted',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':deleted': 'DELETED',
      ':now': change.now.toISOString(),
      ':change': noted(change),
    },
  },
});

/** Only the marker's own expiry counts; one that was moved since changes nothing. */
export const markExpired = (project: string, code: string, expiresAt: string) => ({
  Key: linkKey(project, code),
  UpdateExpression: 'SET #status = :expired',
  ConditionExpression: 'expiresAt = :expiresAt AND #status IN (:active, :paused)',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: {
    ':expired': 'EXPIRED',
    ':active': 'ACTIVE',
    ':paused': 'PAUSED',
    ':expiresAt': expiresAt,
  },
});
