import { limits } from '../limits.ts';
import { codeKey, expiryKey, type Key, linkKey, tableSchema } from '../table/keys.ts';
import type { Part } from '../table/table.ts';
import type { Link, LinkStatus } from './link.ts';
import { placeOf } from './link-list.ts';

/** The writes that make up changes of links. */
export const putNew = (key: Key, attributes: object): Part => ({
  Put: { Item: { ...key, ...attributes }, ConditionExpression: 'attribute_not_exists(PK)' },
});

/** Makes a generated code unique on the whole platform. */
export const claim = (code: string): Part[] => [putNew(codeKey(code), {})];

const couldBeGenerated = new RegExp(`^[A-Za-z0-9]{${limits.generatedCodeLength}}$`);

/** Reserves a chosen code that looks generated, so that the generator doesn't pick it. */
export const reservation = (code: string): Part[] =>
  couldBeGenerated.test(code) ? [{ Put: { Item: codeKey(code) } }] : [];

/** An item whose deletion by TTL signals the expiry; the link itself stays. */
const marker = ({ project, code, expiresAt }: Pick<Link, 'project' | 'code' | 'expiresAt'>): Part[] => {
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

export const dropMarker = ({ project, code }: Pick<Link, 'project' | 'code'>): Part[] => [
  { Delete: { Key: expiryKey(project, code) } },
];

/**
 * The writes of a new link but for its count, which several links can share; `unique` are those that make its code the
 * only one. An expired link is stored as such and needs no marker.
 */
export const linkParts = (link: Link, unique: readonly Part[]): Part[] => [
  putNew(linkKey(link.project, link.code), link),
  { Put: { Item: placeOf(link) } },
  ...unique,
  ...(link.status === 'EXPIRED' ? [] : marker(link)),
];

/** The time and author of a change. */
export interface Change {
  readonly now: Date;
  readonly by?: string | undefined;
}

/** Writes a link's content over the revision it was read at, as long as the link lives. */
export const replaceContent = (link: Link, revision: unknown, { now, by }: Change) => {
  const { payload, name, expiresAt } = link;
  const seen = Number(revision ?? 0);
  const fields = {
    payload,
    name,
    expiresAt,
    updatedAt: now.toISOString(),
    updatedBy: by,
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

export const setStatus = (project: string, code: string, status: LinkStatus, { now, by }: Change) => ({
  Key: linkKey(project, code),
  UpdateExpression: `SET #status = :status, updatedAt = :now${by === undefined ? '' : ', updatedBy = :by'}`,
  // A stored status of EXPIRED or DELETED can't be left, and an expiry that has passed counts as well.
  ConditionExpression:
    'attribute_not_exists(blockedAt) AND #status = :other AND (attribute_not_exists(expiresAt) OR expiresAt > :now)',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: {
    ':status': status,
    ':other': status === 'ACTIVE' ? 'PAUSED' : 'ACTIVE',
    ':now': now.toISOString(),
    ...(by !== undefined && { ':by': by }),
  },
  ReturnValues: 'ALL_NEW' as const,
});

/** Blocks a link in any state. Blocking it again keeps the first time. */
export const block = (
  project: string,
  code: string,
  { now, reason }: { readonly now: Date; readonly reason?: string | undefined },
) => ({
  Key: linkKey(project, code),
  UpdateExpression: `SET blockedAt = if_not_exists(blockedAt, :now)${reason === undefined ? '' : ', blockedReason = :reason'}`,
  ConditionExpression: 'attribute_exists(PK) AND #status <> :deleted',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: {
    ':deleted': 'DELETED',
    ':now': now.toISOString(),
    ...(reason !== undefined && { ':reason': reason }),
  },
});

/** Of a deleted link, too: its code stays blocked until then. */
export const unblock = (project: string, code: string) => ({
  Key: linkKey(project, code),
  UpdateExpression: 'REMOVE blockedAt, blockedReason',
  ConditionExpression: 'attribute_exists(blockedAt)',
});

/** Spreads the visitors of a link over more groups. */
export const spread = (project: string, code: string, groups: number) => ({
  Key: linkKey(project, code),
  UpdateExpression: 'SET #groups = :groups',
  ConditionExpression: '#status <> :deleted AND (attribute_not_exists(#groups) OR #groups < :groups)',
  ExpressionAttributeNames: { '#status': 'status', '#groups': 'groups' },
  ExpressionAttributeValues: { ':deleted': 'DELETED', ':groups': groups },
});

export const markDeleted = (project: string, code: string, now: Date): Part => ({
  Update: {
    Key: linkKey(project, code),
    UpdateExpression: 'SET #status = :deleted, deletedAt = :now, updatedAt = :now',
    ConditionExpression: '#status <> :deleted',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':deleted': 'DELETED', ':now': now.toISOString() },
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
