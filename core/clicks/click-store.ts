import { opensKey, tableSchema, visitorKey } from '../table/keys.ts';
import { met, type Updates } from '../table/table.ts';
import type { Referrer } from './referrer.ts';
import type { Trigger } from './visit.ts';
import type { Platform } from './visitor.ts';

// An import would evaluate every export of the module, which takes 4 ms of the redirect's start.
const { hash } = process.getBuiltinModule('node:crypto');

/** A visit that counts. */
export interface Click {
  readonly project: string;
  readonly code: string;
  /** The visitor, as a hash. */
  readonly visitor: string;
  /** Identifies this click; a retried write with the same id counts once. */
  readonly clickId: string;
  readonly platform: Platform;
  readonly country: string;
  readonly referrer: Referrer;
  readonly browser: string;
  readonly os: string;
  readonly trigger: Trigger;
  readonly at: Date;
  /** How long the visitor counts as the same one, in seconds from this click on. */
  readonly windowSeconds: number;
}

/**
 * A write that is retried after later clicks of the same visitor must recognise itself, so the item holds the
 * last few clicks. People behind one address with the same browser are one visitor; this many of their clicks
 * may come between a write and its retry.
 */
const remembered = Array.from({ length: 4 }, (_, i) => `click${i}`);

/** Long enough to distinguish a visitor's last clicks, and short: an item up to 1 KB costs one write unit. */
const shortId = (clickId: string) => hash('sha256', clickId, 'base64url').slice(0, 11);

/** Items outlive their visitor's window, so that no clock sees one deleted too early. */
const marginSeconds = 86_400;

/** The newest comes first and pushes the oldest out. */
const pushClick = remembered.map((name, i) =>
  i === 0 ? `${name} = :id` : `${name} = if_not_exists(${remembered[i - 1]}, :none)`,
);

const isNew = `attribute_not_exists(${remembered[0]}) OR NOT :id IN (${remembered.join(', ')})`;

/** That an app was opened with a link. */
export interface AppOpen {
  readonly project: string;
  readonly code: string;
  /** The app's user, as a hash. */
  readonly visitor: string;
  /** Identifies this open; a retried write with the same id counts once. */
  readonly openId: string;
  readonly platform: Exclude<Platform, 'web'>;
  /** Whether it was the app's first start. */
  readonly isFirst: boolean;
  readonly at: Date;
}

const seconds = (time: Date) => Math.floor(time.getTime() / 1000);

/** Clicks and app opens. Each write throws when it may not have succeeded. */
export const clickStore = (table: Updates) => ({
  /**
   * Counts a click on its visitor's item; the table's stream carries it on to the link's figures. Repeating the call
   * is harmless.
   */
  async record(click: Click): Promise<void> {
    const seen = seconds(click.at);
    const newFrom = seen + click.windowSeconds;
    const { platform, country, referrer, browser, os, trigger } = click;
    // The condition failed: this click was stored before, and the answer was lost.
    await met(
      table.update({
        Key: visitorKey(click.project, click.code, click.visitor),
        UpdateExpression: `ADD hits :one SET ${pushClick.join(', ')}, visit = :visit, #ttl = :ttl`,
        ConditionExpression: isNew,
        ExpressionAttributeNames: { '#ttl': tableSchema.ttl },
        ExpressionAttributeValues: {
          ':one': 1,
          ':id': shortId(click.clickId),
          ':none': '-',
          ':visit': { platform, country, referrer, browser, os, trigger, seen, newFrom },
          ':ttl': newFrom + marginSeconds,
        },
      }),
    );
  },

  /**
   * Counts that an app opened a link; the table's stream carries it on to the figures. Repeating the call is harmless.
   */
  async recordOpen(open: AppOpen): Promise<void> {
    const seen = seconds(open.at);
    // The condition failed: this open was stored before, and the answer was lost.
    await met(
      table.update({
        Key: opensKey(open.project, open.code, open.visitor),
        UpdateExpression: `ADD opens :one, firstOpens :first SET ${pushClick.join(', ')}, visit = :visit, #ttl = :ttl`,
        ConditionExpression: isNew,
        ExpressionAttributeNames: { '#ttl': tableSchema.ttl },
        ExpressionAttributeValues: {
          ':one': 1,
          ':first': open.isFirst ? 1 : 0,
          ':id': shortId(open.openId),
          ':none': '-',
          ':visit': { platform: open.platform, seen },
          ':ttl': seen + 2 * marginSeconds,
        },
      }),
    );
  },
});
