import { hash } from 'node:crypto';
import { writeDigits } from '../figures/click.ts';

/** What the service tells, in words, and whether a webhook is told of it unless somebody chooses. */
const kinds = {
  'link.created': { isUsual: true, says: 'links that are created' },
  'link.updated': { isUsual: true, says: 'links that are changed, paused, activated or blocked' },
  'link.deleted': { isUsual: true, says: 'links that are deleted' },
  'link.expired': { isUsual: true, says: 'links that have expired' },
  'link.clicked': { isUsual: false, says: 'clicks, up to 100 together' },
  'app.opened': { isUsual: false, says: 'opens of apps, up to 100 together' },
} as const;

export type EventType = keyof typeof kinds;
/** Those of visits; all others are of links. */
export type VisitEventType = Extract<EventType, 'link.clicked' | 'app.opened'>;

export const eventTypes = Object.keys(kinds) as readonly EventType[];
export const usualTypes = eventTypes.filter((type) => kinds[type].isUsual);
export const eventWords: Readonly<Record<EventType, { readonly says: string }>> = kinds;

/** Something that happened, as receivers get it. */
export interface ServiceEvent {
  readonly id: string;
  readonly type: EventType | 'webhook.test';
  readonly project: string;
  /** When it became an event, in epoch milliseconds. */
  readonly createdAt: number;
  /** The JSON that is sent, byte for byte the same in every attempt. */
  readonly body: string;
}

export interface Happening extends Pick<ServiceEvent, 'type' | 'project'> {
  /** When the table took it in, in epoch milliseconds, of which it tells the second only. */
  readonly takenIn: number;
  /** Names it: the same texts, the same id. */
  readonly of: readonly string[];
  /** When it happened, in epoch milliseconds. */
  readonly at: number;
  readonly data: object;
  /** Whether webhooks get no event of it. */
  readonly isQuiet?: boolean | undefined;
}

/** A change that the table took in later than this waited somewhere. */
const slowestMs = 60_000;

/** An event whose id derives from what happened, so that a repeated batch repeats it. Ids sort by time. */
export const eventOf = ({ type, project, takenIn, of, at, data }: Happening): ServiceEvent => {
  const createdAt = at <= takenIn && at > takenIn - slowestMs ? at : takenIn;
  const id = `evt_${writeDigits(createdAt, 8)}${shortHash(type, ...of)}`;
  const body = JSON.stringify({ id, type, timestamp: new Date(at).toISOString(), data });
  return { id, type, project, createdAt, body };
};

/** 22 characters of a hash (132 bits), so that no two texts of the stream share one. */
export const shortHash = (...parts: readonly string[]): string =>
  hash('sha256', parts.join('\n'), 'base64url').slice(0, 22);
