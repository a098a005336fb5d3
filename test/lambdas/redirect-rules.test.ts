import fc from 'fast-check';
import type { LinkPayload } from '../../core/links/payload-fields.ts';
import { preferredLanguage } from '../../core/rules/language.ts';
import { ruleFor } from '../../core/short-urls/routing.ts';
import type { VisitorWrite } from '../../core/visits/click-store.ts';
import { visitorOf } from '../../core/visits/visitor.ts';
import { visitorNumber } from '../../core/visits/visitor-identity.ts';
import { redirect } from '../../lambdas/short-urls/redirect.ts';
import { userAgents } from '../../ops/base/user-agents.ts';
import { visitBy } from '../support/function-calls.ts';
import { isNightly } from '../support/nightly.ts';
import { ruleLists } from '../support/rules.ts';

const visitorSecret = 'secret';
const link = 'https://example.com/landing';
const host = 'go.example.com';
const now = new Date('2026-12-01T09:00:00.000Z');

/** A redirect whose one link has this payload, and the clicks that it counts. */
const redirectOf = (payload: Partial<LinkPayload>, blocked: readonly string[] = []) => {
  const clicks: VisitorWrite[] = [];
  const isBlocked = (name: string) => blocked.includes(name);
  const target = {
    project: 'acme',
    code: 'launch',
    link: { status: 'ACTIVE', payload: { link, ...payload }, isBlocked },
  };
  const handler = redirect({
    stores: {
      shortLinks: {
        find: async () => target,
        apps: async () => ({}),
        association: async () => undefined,
        addresses: async () => ({}),
      },
      clicks: { record: async (click: VisitorWrite) => void clicks.push(click) },
      excluded: { add: async () => undefined },
    },
    visitorSecret,
    uniqueWindowSeconds: 86_400,
  } as unknown as Parameters<typeof redirect>[0]);
  return { handler, clicks, target };
};

interface Visit {
  readonly userAgent?: string;
  readonly country?: string | undefined;
  readonly language?: string | undefined;
  readonly address?: string;
  readonly query?: string;
  readonly method?: string;
}

const visited = async (one: ReturnType<typeof redirectOf>, visit: Visit = {}) => {
  const { userAgent = userAgents.desktop, query, method, country, language } = visit;
  const { statusCode, headers, body } = await visitBy(one.handler, '/launch', {
    ...{ query, method, now },
    headers: {
      'user-agent': userAgent,
      'x-forwarded-host': host,
      'cloudfront-viewer-address': `${visit.address ?? '203.0.113.7'}:4711`,
      ...(country && { 'cloudfront-viewer-country': country }),
      ...(language && { 'accept-language': language }),
    },
  });
  return { status: statusCode, location: headers?.Location, body: body ?? '' };
};

const locationOf = async (payload: Partial<LinkPayload>, visit?: Visit) =>
  (await visited(redirectOf(payload), visit)).location;

const visits = fc.record({
  userAgent: fc.constantFrom(...Object.values(userAgents), 'curl/8.5.0', 'facebookexternalhit/1.1'),
  country: fc.constantFrom('DE', 'US', 'JP', undefined),
  language: fc.constantFrom('de-AT,de;q=0.9', 'en', '*', 'fr;q=0, pt-BR;q=0.1', undefined),
  address: fc.ipV4(),
});

const addresses = fc.constantFrom(
  'https://one.example.com',
  'https://two.example.com',
  `https://${host}`,
  'http://10.0.0.1',
);
const payloads = fc.record({
  rules: ruleLists(addresses),
  social: fc.constantFrom(undefined, { title: 'We are live' }),
});

/** The debug page's mark for the rule that decides. */
const markOf = (body: string) => ({
  rule: /<strong>(\w+)<\/strong> <span class="state">decides for you/.exec(body)?.[1],
  entry: /<li>(\w+), \d+ %: <span class="state">yours/.exec(body)?.[1],
});

test('redirect, debug page and module come to the same decision', () =>
  fc.assert(
    fc.asyncProperty(payloads, visits, async (payload, visit) => {
      const one = redirectOf(payload);
      const visitor = visitorOf(visit.userAgent);
      const decision = ruleFor(
        one.target.link as Parameters<typeof ruleFor>[0],
        {
          visitor,
          country: visit.country,
          language: preferredLanguage(visit.language),
          numberOf: (rule) =>
            visitorNumber(visitorSecret, { project: 'acme', code: 'launch', ...visit }, rule),
          now,
        },
        `https://${host}/launch`,
      );
      const { rule, entry } = decision ?? {};
      const isPreview = visitor.kind === 'social-crawler' && payload.social !== undefined;
      const location = isPreview ? undefined : (decision?.link ?? link);
      expect((await visited(one, visit)).location).toBe(location);
      // A person's click names the rule, or that none decided.
      const named = entry ? `${rule}/${entry}` : (rule ?? 'none');
      if (visitor.kind === 'person') expect(one.clicks.at(-1)?.visit.rule ?? 'none').toBe(named);
      expect((await visited(one, { ...visit, method: 'HEAD' })).location).toBe(location);
      const { body } = await visited(one, { ...visit, query: 'd=1' });
      expect(markOf(body)).toEqual({ rule, entry });
    }),
    { numRuns: isNightly ? 10_000 : 50 },
  ));

test('each entry gets its percent of 1,000 visitors, and each visitor the same entry again', async () => {
  const split = [
    { name: 'a', percent: 20, link: 'https://a.example.com/' },
    { name: 'b', percent: 50, link: 'https://b.example.com/' },
  ];
  const one = redirectOf({ rules: [{ name: 'pages', split }] });
  const other = redirectOf({ rules: [{ name: 'pages', split }] });
  const places = await Promise.all(
    Array.from({ length: 1000 }, async (_, i) => {
      const visit = { address: `198.51.${i >> 8}.${i & 255}` };
      const { location } = await visited(one, visit);
      expect((await visited(other, visit)).location).toBe(location);
      return location;
    }),
  );
  for (const [address, percent] of [
    ['https://a.example.com/', 20],
    ['https://b.example.com/', 50],
    [link, 30],
  ] as const) {
    const share = places.filter((place) => place === address).length / 10;
    expect(Math.abs(share - percent)).toBeLessThanOrEqual(6);
  }
});

const always = { from: '2026-01-01T00:00:00.000Z' };
const play = 'https://play.google.com/store/apps/details?id=x';
const campaign = { utm_source: 'poster' };
const appStores = ['https://apps.apple.com/app/id1?ppid=2', 'https://itunes.apple.com/app/id1'];

test.each<[string, string, Partial<LinkPayload>, unknown]>([
  ['a=2&b=3', 'https://shop.example.com/de?a=1', {}, 'https://shop.example.com/de?utm_source=poster&a=2&b=3'],
  [
    'a=2',
    'https://shop.example.com/de?a=1',
    { query: 'ignore' },
    'https://shop.example.com/de?a=1&utm_source=poster',
  ],
  ...appStores.map((address) => ['a=2', address, {}, address] as [string, string, object, string]),
  ['a=2', play, {}, expect.stringContaining(`${play}&referrer=utm_source%3Dposter%26deepLink`)],
])('with ?%s the address %s of a rule is treated like a destination', async (query, link, more, expected) => {
  const rules = [{ name: 'all', ...always, link }];
  expect(await locationOf({ rules, campaign, ...more }, { query })).toEqual(expected);
});

test('a rule to a blocked host returns 404', async () => {
  const rules = [{ name: 'all', ...always, link: 'https://bad.example.com/' }];
  expect((await visited(redirectOf({ rules }, ['bad.example.com']))).status).toBe(404);
});

const soon = [{ name: 'all', ...always, link: 'https://example.com/soon' }];

test('a rule wins over stores, desktop fallback and interstitial', async () => {
  const payload = {
    rules: soon,
    desktop_fallback: 'https://example.com/desktop',
    ios: { app_store_id: '1' },
    interstitial: 'always' as const,
  };
  for (const userAgent of [userAgents.desktop, userAgents.iphone])
    expect(await locationOf(payload, { userAgent })).toBe('https://example.com/soon');
});

test('a social preview is shown with any rules', async () => {
  for (const blocked of [[], ['example.com']]) {
    const payload = { link: 'https://shop.example/', rules: soon, social: { title: 'We are live' } };
    const one = redirectOf(payload, blocked);
    const { status, body } = await visited(one, { userAgent: 'facebookexternalhit/1.1' });
    expect([status, body.includes('We are live')]).toEqual([200, true]);
    expect((await visited(one)).status).toBe(blocked.length === 0 ? 302 : 404);
  }
});

test("one split's choice for a visitor is independent of another's", async () => {
  const numbers = (rule: string) =>
    Array.from({ length: 20 }, (_, i) => {
      const visit = { project: 'acme', code: 'launch', address: `203.0.113.${i}`, userAgent: 'a' };
      return visitorNumber(visitorSecret, visit, rule);
    });
  expect(numbers('first')).not.toEqual(numbers('second'));
  expect(numbers('first')).toEqual(numbers('first'));
});

describe('the debug page', () => {
  test('shows only the existence of a rule that begins later', async () => {
    const rules = [{ name: 'secret', from: '2026-12-24T00:00:00.000Z', link: 'https://secret.example.com/' }];
    const { body } = await visited(redirectOf({ rules }), { query: 'd=1' });
    expect(body).toContain('A rule that begins later.');
    expect(body).not.toContain('secret');
  });

  test('shows hosts as browsers ask for them', async () => {
    const rules = [{ name: 'odd', platforms: ['ios' as const], link: 'https://\u0430pple.com/' }];
    const { body } = await visited(redirectOf({ rules }), { query: 'd=1' });
    expect(body).toContain('https://xn--pple-43d.com/');
    expect(body).not.toContain('\u0430pple');
  });

  test('shows the response for visitors of a rule, and makes a blocked address no link', async () => {
    const rules = [
      // Begins at this moment.
      { name: 'all', from: now.toISOString(), link: 'https://shop.example.com/de?a=0' },
      { name: 'store', platforms: ['ios' as const], link: 'https://apps.apple.com/app/id1' },
      { name: 'bad', platforms: ['android' as const], link: 'https://bad.example.com/' },
    ];
    const one = redirectOf({ rules, campaign: { utm_source: 'mail' } }, ['bad.example.com']);
    const led = String((await visited(one, { query: 'a=2' })).location);
    expect(led).toBe('https://shop.example.com/de?utm_source=mail&a=2');
    const { body } = await visited(one, { query: 'd=1&a=2' });
    expect(body).toContain(`<a href="${led.replaceAll('&', '&amp;')}"`);
    expect(body).toContain('<a href="https://apps.apple.com/app/id1"');
    expect(body).toContain('<p>https://bad.example.com/</p>');
  });

  test('names conditions, and warns of a time that has passed', async () => {
    const rules = [
      {
        name: 'dach',
        countries: ['DE', 'AT'],
        languages: ['de'],
        platforms: ['web' as const],
        until: '2026-12-01T08:00:00.000Z',
        link: 'https://shop.example.com/de',
      },
    ];
    const { body } = await visited(redirectOf({ rules }), { query: 'd=1' });
    expect(body).toContain(
      'Visitors in Germany or Austria, whose first language is German, on a desktop, until 1 December 2026, 08:00 UTC',
    );
    expect(body).toContain('Its time has passed.');
    expect(body).toContain('GET /1.0/analytics?groupBy=rules&amp;code=launch');
  });
});
