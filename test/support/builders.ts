import { randomBytes } from 'node:crypto';
import type { ClickRecord } from '../../core/analytics/click-record.ts';
import { noValues } from '../../core/analytics/dimensions.ts';
import { packedPosition } from '../../core/analytics/positions.ts';
import type { ApiKey } from '../../core/api-keys/api-key.ts';
import { identifyApiKey } from '../../core/api-keys/api-key.ts';
import { eventOf, eventTypes } from '../../core/events/event.ts';
import type { Link } from '../../core/links/link.ts';
import type { SentLink } from '../../core/links/link-draft.ts';
import { bySections, patched } from '../../core/links/link-patch.ts';
import type { NewLink } from '../../core/links/link-store.ts';
import type { StoredProject } from '../../core/projects/project-store.ts';
import type { Click } from '../../core/visits/click-store.ts';
import { newWebhookId, type Webhook } from '../../core/webhooks/webhook.ts';

let sequence = 0;
/** Differs by file, because each file loads this again. */
const file = randomBytes(4).toString('hex');
/** A name no other test uses, in this file or another. */
export const unique = (prefix: string): string => {
  sequence += 1;
  return `${prefix}-${file}-${sequence}`;
};

export const aProject = (fields: Partial<StoredProject> = {}): StoredProject => ({
  id: unique('project'),
  name: 'A project',
  subscription: 'active',
  createdAt: '2026-01-01T00:00:00.000Z',
  segment: '2026-01-01T00:00:00.000Z',
  ...fields,
});

export const aLinkDraft = (fields: Partial<NewLink> = {}): NewLink => ({
  id: 'a5f3c9f0-0000-4000-8000-000000000000',
  project: 'acme',
  code: unique('code'),
  status: 'ACTIVE',
  payload: { link: 'https://example.com/landing' },
  createdAt: '2026-02-01T12:00:00.000Z',
  updatedAt: '2026-02-01T12:00:00.000Z',
  createdBy: 'user-1',
  ...fields,
});

/** Replaces these fields of a link, like a whole update, without lookups. */
export const withFields = (fields: SentLink) => async (link: Link) =>
  patched(link, fields, new Date(), bySections);

export const anApiKey = (apiKey: string, fields: Partial<ApiKey> = {}): ApiKey => {
  const identity = identifyApiKey(apiKey);
  if (!identity) throw new Error('Not a key');
  return {
    ...identity,
    project: 'acme',
    scopes: ['links:read'],
    createdBy: 'user-1',
    createdAt: '2026-01-01T00:00:00.000Z',
    ...fields,
  };
};

/** One click on a link, at a place in its shard. */
export const aClickRecord = (fields: Partial<ClickRecord>, sequence: number): ClickRecord => ({
  project: 'acme',
  code: unique('code'),
  isGrouped: false,
  sequenceNumber: String(sequence),
  position: packedPosition(String(sequence)),
  created: 1_772_000_000,
  at: 1_772_000_000,
  clicks: 1,
  unique: false,
  ...noValues,
  own: '',
  tags: [],
  platform: 'web',
  country: 'DE',
  referrer: 'direct',
  browser: 'chrome',
  os: 'windows',
  opens: 0,
  firstOpens: 0,
  ...fields,
});

/** What analytics group such a click by. */
export const clickValues = {
  ...({ platform: 'ios', country: 'DE', referrer: 'news.example', browser: 'safari' } as const),
  ...({ os: 'ios', trigger: 'qr' } as const),
};

/** A visitor's click, as the redirect counts it. */
export const aClick = (fields: Partial<Click> = {}): Click => ({
  project: 'acme',
  code: unique('code'),
  visitor: 'visitor',
  clickId: unique('click'),
  ...clickValues,
  at: new Date('2026-03-01T12:00:00.000Z'),
  windowSeconds: 90 * 86_400,
  ...fields,
});

export const aWebhook = (fields: Partial<Webhook> = {}): Webhook => ({
  id: newWebhookId(),
  project: 'acme',
  url: 'https://hooks.example.com/',
  events: eventTypes,
  createdAt: '2026-01-01T00:00:00.000Z',
  revision: 1,
  generation: 1,
  ...fields,
});

/** The event of a deleted link. */
export const anEvent = (project: string, at = Date.now()) =>
  eventOf({
    ...({ type: 'link.deleted', project, at, takenIn: at } as const),
    of: [unique('event')],
    data: { project, code: 'ä' },
  });
