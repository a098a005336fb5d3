import { analyticsOf } from '../../../core/analytics/analytics.ts';
import { timestamp } from '../../../core/fields/time-schema.ts';
import { statusAt } from '../../../core/links/link.ts';
import { linkDraft } from '../../../core/links/link-schema.ts';
import { presentLink } from '../../../core/links/shown-link.ts';
import { storedTags } from '../../../core/links/tags.ts';
import { aLinkDraft, aProject } from '../../support/builders.ts';

const expiresAt = '2026-06-01T00:00:00.000Z';
const at = (offsetMs: number) => new Date(Date.parse(expiresAt) + offsetMs);

describe('statusAt', () => {
  test('a paused link also expires, a deleted one stays deleted', () => {
    expect(statusAt({ status: 'PAUSED', expiresAt }, at(0))).toBe('EXPIRED');
    expect(statusAt({ status: 'DELETED', expiresAt }, at(0))).toBe('DELETED');
  });

  test('a link without expiry keeps its status', () => {
    expect(statusAt({ status: 'PAUSED' }, at(0))).toBe('PAUSED');
  });
});

test('a link has each tag once, in lower case', () => {
  expect(storedTags(['Sale', 'b', 'sale', 'B'])).toEqual(['sale', 'b']);
});

describe('linkDraft', () => {
  const payload = { link: 'https://example.com' };

  test('drops fields that clients cannot set', () => {
    const draft = linkDraft.parse({ payload, clickCount: 7, createdBy: 'x', projectId: 'other' });
    expect(draft).toEqual({ payload });
  });

  test.each([
    ['a missing destination', { payload: {} }],
    ['another scheme', { payload: { link: 'javascript:alert(1)' } }],
    ['a code with a blank', { payload, code: 'a b c' }],
    ['a code that is too short', { payload, code: 'ab' }],
    ['a code that is too long', { payload, code: 'a'.repeat(51) }],
    ['a name that is too long', { payload, name: 'a'.repeat(256) }],
    ['an expiry that is no time', { payload, expiresAt: 'tomorrow' }],
    ['an expiry without offset', { payload, expiresAt: '2026-06-01T00:00:00' }],
  ])('refuses %s', (_, draft) => {
    expect(linkDraft.safeParse(draft).success).toBe(false);
  });

  test('turns a time with offset into UTC with milliseconds', () => {
    expect(timestamp.parse('2026-06-01T02:00:00+02:00')).toBe(expiresAt);
  });
});

describe('presentLink', () => {
  const link = { ...aLinkDraft(), project: 'acme', code: 'launch', segment: '' };
  const shortBase = 'https://go.example.com';

  test.each([
    ['the project folder of the shared host', undefined, 'https://go.example.com/acme/launch'],
    ["the project's own host", 'links.acme.test', 'https://links.acme.test/launch'],
    [
      'the root of the shared host, if the project owns it',
      'go.example.com',
      'https://go.example.com/launch',
    ],
  ])('puts the short URL under %s', (_, host, shortUrl) => {
    const shown = presentLink(link, analyticsOf(), aProject({ id: 'acme', ...(host && { host }) }), {
      shortBase,
      now: at(0),
    });
    expect(shown).toMatchObject({ shortUrl, shortLink: shortUrl, qrCode: `${shortUrl}/qr.png` });
  });
});
