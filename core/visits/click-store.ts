import { epochSeconds } from '../base/durations.ts';
import { limits } from '../base/limits.ts';
import type { Platform } from '../base/platform.ts';
import { storedValues, type VisitValues } from '../figures/splits.ts';
import { opensKey, visitorKey } from '../table/figure-keys.ts';
import { type Key, type LinkId, tableSchema } from '../table/keys.ts';
import { met, type Updates } from '../table/table.ts';

// An import would evaluate every export of the module, which takes 4 ms of the redirect's start.
const { hash } = process.getBuiltinModule('node:crypto');

/** What somebody did with a link, and when. */
interface Act extends LinkId {
  /** The visitor, the app's user or a repeatable opening, as a hash. */
  readonly visitor: string;
  readonly at: Date;
  /** In how many groups the link's visitors are. @default 1 */
  readonly groups?: number | undefined;
}

/** A visit that counts. */
export interface Click extends Act, VisitValues {
  /** Identifies this click; a retried write with the same id counts once. */
  readonly clickId: string;
  /** Which values are the link's own (`ownOf`). */
  readonly own?: string;
  readonly tags?: readonly string[] | undefined;
  /** How long the visitor counts as the same one, in seconds from this click on. */
  readonly windowSeconds: number;
}

/** That an app was opened with a link. */
export interface AppOpen extends Act {
  /** Identifies this open; a retried write with the same id counts once. Without it, `visitor` is an opening that counts once. */
  readonly requestId?: string | undefined;
  readonly platform: Exclude<Platform, 'web'>;
  /** Whether it was the app's first start. */
  readonly isFirst: boolean;
}

/** A click or an open as it is added to its visitor's item. It is plain JSON, so that it can wait in a queue. */
export interface VisitorWrite {
  readonly Key: Key;
  /** What is added to the item's numbers. */
  readonly adds: Readonly<Record<string, number>>;
  /** Short, and enough to distinguish the clicks of one visitor. */
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

/** Items outlive their visitor's window, so that no clock sees one deleted too early. */
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
    // A repeatable opening may come again for a week, and then wait in the queue.
    ttl: seen + (requestId === undefined ? 8 + limits.clickQueueDays : 2) * marginSeconds,
  };
};

/**
 * A write that is retried after later clicks of the same visitor must recognise itself, so the item holds the
 * last few clicks. People behind one address with the same browser are one visitor; this many of their clicks
 * may come between a write and its retry.
 */
export const remembered = Array.from({ length: 4 }, (_, i) => `click${i}`);

/** In place of a click that there wasn't yet. */
export const none = '-';

/** Ids of clicks that came by the queue, of this length each, one after the other. */
export const late = { attribute: 'late', idLength: 6 } as const;

/** The newest comes first and pushes the oldest out. */
const pushClick = remembered.map((name, i) =>
  i === 0 ? `${name} = :id` : `${name} = if_not_exists(${remembered[i - 1]}, :none)`,
);

// A write without a response may be carried out after the queue has brought the same click.
const isNew = `(attribute_not_exists(${remembered[0]}) OR NOT :id IN (${remembered.join(', ')})) AND NOT contains(${late.attribute}, :late)`;

/** Clicks and app opens, which the table's stream carries on to the figures of their links. */
export const clickStore = (table: Updates) => ({
  /** Counts one on its visitor's item. Throws when it may not have succeeded; repeating it is harmless. */
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
          ':late': id.slice(0, late.idLength),
          ':none': none,
          ':visit': visit,
          ':ttl': ttl,
        },
      }),
    );
  },
});
