import { hash } from 'node:crypto';
import { writeDigits } from '../analytics/positions.ts';

/** Event types, with words for them, and whether a webhook gets them by default. */
const kinds = {
  'link.created': { isUsual: true, says: 'links that are created' },
  'link.updated': { isUsual: true, says: 'links that are changed, paused, activated or blocked' },
  'link.deleted': { isUsual: true, says: 'links that are deleted' },
  'link.expired': { isUsual: true, says: 'links that have expired' },
  'link.clicked': { isUsual: false, says: 'clicks, up to 100 together' },
  'app.opened': { isUsual: false, says: 'opens of apps, up to 100 together' },
} as const;

export type EventType = keyof typeof kinds;
/** Types of events about visits; all others are about links. */
export type VisitEventType = Extract<EventType, 'link.clicked' | 'app.opened'>;

export const eventTypes = Object.keys(kinds) as readonly EventType[];
export const usualTypes = eventTypes.filter((type) => kinds[type].isUsual);
export const eventDescriptions: Readonly<Record<EventType, { readonly says: string }>> = kinds;

/** An event as receivers get it. */
export interface ServiceEvent {
  readonly id: string;
  readonly type: EventType | 'webhook.test';
  readonly project: string;
  /** Time of the event's creation, in epoch milliseconds. */
  readonly createdAt: number;
  /** The JSON to send, byte for byte the same in every attempt. */
  readonly body: string;
}

export interface Happening extends Pick<ServiceEvent, 'type' | 'project'> {
  /** Time at which the table's stream recorded it, in epoch milliseconds with a precision of a second. */
  readonly takenIn: number;
  /** Texts that identify it: the same texts give the same id. */
  readonly of: readonly string[];
  /** Time at which it happened, in epoch milliseconds. */
  readonly at: number;
  readonly data: object;
  /** Whether webhooks get no event of it. */
  readonly isQuiet?: boolean | undefined;
}

/** A change recorded later than this was delayed, such as in a queue. */
const slowestMs = 60_000;

/** An event. Its id derives from the content, so that a redelivered batch emits the same event. Ids sort by time. */
export const eventOf = ({ type, project, takenIn, of, at, data }: Happening): ServiceEvent => {
  const createdAt = at <= takenIn && at > takenIn - slowestMs ? at : takenIn;
  const id = `evt_${writeDigits(createdAt, 8)}${shortHash(type, ...of)}`;
  const body = JSON.stringify({ id, type, timestamp: new Date(at).toISOString(), data });
  return { id, type, project, createdAt, body };
};

/** A hash of 22 characters (132 bits), enough to be unique in the stream. */
export const shortHash = (...parts: readonly string[]): string =>
  hash('sha256', parts.join('\n'), 'base64url').slice(0, 22);
