import { storedValues, type VisitValues } from '../analytics/dimensions.ts';
import { epochSeconds } from '../base/durations.ts';
import { limits } from '../base/limits.ts';
import type { Platform } from '../base/platform.ts';
import { opensKey, visitorKey } from '../table/analytics-keys.ts';
import { type Key, type LinkId, tableSchema } from '../table/keys.ts';
import { met, type Updates } from '../table/table.ts';

// An import would evaluate every export of the module, which takes 4 ms of the redirect's start.
const { hash } = process.getBuiltinModule('node:crypto');

/** A click or an open, with its visitor and time. */
interface Act extends LinkId {
  /** Hash of the visitor, the app's user or an open that may be repeated. */
  readonly visitor: string;
  readonly at: Date;
  /** Number of groups of the link's visitors. @default 1 */
  readonly groups?: number | undefined;
}

/** A visit that counts. */
export interface Click extends Act, VisitValues {
  /** Identifies this click; a retried write with the same id counts once. */
  readonly clickId: string;
  /** The values that are the link's own (`ownOf`). */
  readonly own?: string;
  readonly tags?: readonly string[] | undefined;
  /** The time in which the visitor's next click isn't a unique one, in seconds. */
  readonly windowSeconds: number;
}

export interface AppOpen extends Act {
  /** Identifies this open; a retried write with the same id counts once. Without it, `visitor` identifies the open. */
  readonly requestId?: string | undefined;
  readonly platform: Exclude<Platform, 'web'>;
  /** Whether it was the app's first start. */
  readonly isFirst: boolean;
}

/** An update of a visitor's item with a click or an open. It is plain JSON, so that it can wait in a queue. */
export interface VisitorWrite {
  readonly Key: Key;
  /** Numbers to add to the item's counters. */
  readonly adds: Readonly<Record<string, number>>;
  /** A short id that distinguishes the clicks of one visitor. */
  readonly id: string;
  readonly visit: {
    readonly seen: number;
    readonly newFrom?: number;
    readonly [name: string]: string | number | undefined;
  };
  readonly ttl: number;
}

/** Short ids keep the visitor's item below 1 KB: one write unit. */
const shortId = (id: string) => hash('sha256', id, 'base64url').slice(0, 11);

/** Items outlive their visitor's window by a margin for clocks that differ. */
const marginSeconds = 86_400;

export const clickWrite = (click: Click): VisitorWrite => {
  const { project, code, visitor, clickId, at, windowSeconds, groups, own, tags, ...visit } = click;
  const seen = epochSeconds(at.getTime());
  const newFrom = seen + windowSeconds;
  return {
    Key: visitorKey(project, code, visitor, groups),
    adds: { hits: 1 },
    id: shortId(clickId),
    visit: {
      ...storedValues(visit),
      ...(own && { own }),
      ...(tags?.length && { tags: tags.join() }),
      ...{ seen, ms: at.getMilliseconds(), newFrom },
    },
    ttl: newFrom + marginSeconds,
  };
};

export const openWrite = (open: AppOpen): VisitorWrite => {
  const { project, code, visitor, requestId, platform, isFirst, at, groups } = open;
  const seen = epochSeconds(at.getTime());
  return {
    Key: opensKey(project, code, visitor, groups),
    adds: { opens: 1, firstOpens: isFirst ? 1 : 0 },
    id: shortId(requestId ?? visitor),
    visit: { platform, seen, ms: at.getMilliseconds() },
    // An open may be repeated for a week, and then wait in the queue.
    ttl: seen + (requestId === undefined ? 8 + limits.clickQueueDays : 2) * marginSeconds,
  };
};

/**
 * Attributes with the ids of the visitor's last few clicks, so that a retried write isn't counted twice. People with
 * the same address and browser are one visitor: so many of their clicks may come between a write and its retry.
 */
export const recentClickIds = Array.from({ length: 4 }, (_, i) => `click${i}`);

/** Attributes with the times of these clicks in epoch seconds. Items of 1.3 have none, and their clicks 0. */
export const recentClickTimes = recentClickIds.map((_, i) => `at${i}`);

/** Placeholder for a missing click. */
export const noClickId = '-';

/** Attribute with the concatenated ids of clicks from the queue, and the length of each. */
export const queuedClickIds = { attribute: 'late', idLength: 6 } as const;

/** Shifts these attributes: the newest comes first, and the oldest drops out. */
const push = (names: readonly string[], newest: string, none: string) =>
  names.map((name, i) => `${name} = ${i === 0 ? newest : `if_not_exists(${names[i - 1]}, ${none})`}`);

const pushClick = [...push(recentClickIds, ':id', ':none'), ...push(recentClickTimes, ':seen', ':zero')];

// A write without a response may succeed after the queue has delivered the same click.
const isNew = `(attribute_not_exists(${recentClickIds[0]}) OR NOT :id IN (${recentClickIds.join(', ')})) AND NOT contains(${queuedClickIds.attribute}, :late)`;

/** Clicks and app opens. The table's stream adds them to analytics. */
export const clickStore = (table: Updates) => ({
  /** Counts a click or an open on its visitor's item. Throws if it may have failed; a retry counts once. */
  async record({ Key, adds, id, visit, ttl }: VisitorWrite): Promise<void> {
    const numbers = Object.entries(adds);
    // If the condition fails, this click was stored before, and the response was lost.
    await met(
      table.update({
        Key,
        UpdateExpression: `ADD ${numbers.map(([name]) => `${name} :${name}`).join(', ')} SET ${pushClick.join(', ')}, visit = :visit, #ttl = :ttl`,
        ConditionExpression: isNew,
        ExpressionAttributeNames: { '#ttl': tableSchema.ttl },
        ExpressionAttributeValues: {
          ...Object.fromEntries(numbers.map(([name, number]) => [`:${name}`, number])),
          ':id': id,
          ':late': id.slice(0, queuedClickIds.idLength),
          ':none': noClickId,
          ':seen': visit.seen,
          ':zero': 0,
          ':visit': visit,
          ':ttl': ttl,
        },
      }),
    );
  },
});
