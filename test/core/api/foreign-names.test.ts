import fc from 'fast-check';
import { dimensionNames } from '../../../core/analytics/dimensions.ts';
import { type Contract, statusOf } from '../../../core/api/endpoint.ts';
import { api } from '../../../core/api/index.ts';
import { openApi } from '../../../core/api/openapi.ts';
import { readRequest } from '../../../core/api/request.ts';
import { Failure } from '../../../core/base/failure.ts';
import { clickColumns } from '../../../core/click-export/click-rows.ts';
import { nearMisses } from '../../../core/fields/near-misses.ts';
import { isNearly } from '../../../core/fields/near-names.ts';
import { deref, fitting } from '../../support/json-schema-arbitrary.ts';
import { runs } from '../../support/nightly.ts';

const link = 'https://example.com';
const id = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

const messageFor = async (contract: Contract, body: unknown): Promise<string> => {
  const params = contract.path.includes('{code}') ? { code: 'launch' } : { id };
  try {
    await readRequest(contract, { params, query: {}, body: () => body });
    return 'taken';
  } catch (error) {
    if (error instanceof Failure) return `${error.code} ${error.message}`;
    throw error;
  }
};

/** A body with one more field at a place. */
const withField = (where: string, name: string, value: unknown) => {
  const payload = { link };
  if (where === '') return { payload, [name]: value };
  const [, section] = where.split('.');
  return { payload: { ...payload, ...(section ? { [section]: { [name]: value } } : { [name]: value }) } };
};

const codes = ['alias', 'slug', 'customSlug', 'shortCode', 'keyword', 'key', 'customCode', 'customurl'];
const campaign = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'];
const inPayload = ['iosAppId', 'androidAppId', 'android', 'ios', 'social', 'campaign'];

/** Names of other services by where they are found, with the right place. */
const meant: readonly (readonly [
  where: string,
  names: readonly string[],
  place: (name: string) => string,
])[] = [
  ['', ['link', 'url', 'longUrl', 'long_url', 'destination', 'target'], () => 'payload.link'],
  ['', [...inPayload, 'desktop_fallback', 'interstitial', 'query', 'rules'], (name) => `payload.${name}`],
  ['', ['tag', 'tagNames', 'labels'], () => 'tags'],
  ['', ['geo', 'targeting'], () => 'payload.rules'],
  ['', ['title'], () => 'name'],
  ['', ['description'], () => 'payload.social.description'],
  ['payload', ['og'], () => 'payload.social'],
  ['payload', ['utm'], () => 'payload.campaign'],
  [
    '',
    ['expire', 'expires', 'expiry', 'expiration', 'expirationDate', 'expires_in', 'expire_in'],
    () => 'expiresAt',
  ],
  ['', ['validUntil', 'ttl'], () => 'expiresAt'],
  ['', campaign, (name) => `payload.campaign.${name}`],
  ['payload', campaign, (name) => `payload.campaign.${name}`],
  ['payload', ['name', 'code', 'expiresAt', 'tags'], (name) => `${name} beside payload`],
  ['payload', ['title', 'description', 'image'], (name) => `payload.social.${name}`],
  ['payload', ['fallback', 'desktop', 'desktop_url'], () => 'payload.desktop_fallback'],
  ['payload.social', ['imageUrl', 'image_url'], () => 'image'],
  ['payload.campaign', ['source', 'medium', 'term', 'content'], (name) => `utm_${name}`],
  ['payload.ios', ['appId'], () => 'payload.iosAppId'],
  ['payload.android', ['appId'], () => 'payload.androidAppId'],
  ['payload.ios', ['fallback', 'store_url', 'appStoreFallback'], () => 'app_store_fallback'],
  ['payload.ios', ['appStoreId'], () => 'app_store_id'],
  ['payload.ios', ['iosMinVersion'], () => 'min_version'],
  ['payload.android', ['fallback', 'store_url', 'playStoreFallback'], () => 'store_fallback'],
  ['payload.android', ['packageName'], () => 'package'],
  ['payload.android', ['androidMinVersion'], () => 'min_version'],
  // Slips.
  ['', ['nmae'], () => 'name'],
  ['payload', ['androd'], () => 'android'],
  ['payload', ['iso'], () => 'ios'],
  ['payload', ['interstital'], () => 'interstitial'],
  ['payload', ['rulez'], () => 'rules'],
  ['payload.campaign', ['utm_scource'], () => 'utm_source'],
  ['payload.android', ['pakage'], () => 'package'],
  ['payload.social', ['descripton'], () => 'description'],
];
const rows = meant.flatMap(([where, names, place]) =>
  names.map((name) => [where, name, place(name)] as const),
);

test.each(rows)('in a link, next to %j, %s is refused for %s', async (where, name, place) => {
  const field = [where, name].filter(Boolean).join('.');
  for (const contract of [api.createLink, api.updateLink])
    for (const value of ['x', null]) {
      const answer = await messageFor(contract, withField(where, name, value));
      const message = `${field}: is unknown; use ${place}`;
      expect(answer).toMatch(new RegExp(`^VALIDATION_ERROR (.*; )?${message}(;|$)`));
    }
});

test.each([
  ...['notes', 'comments', 'foo'].map((name) => ['', name] as const),
  // Clicks name their rule.
  ...['rule', 'ogTitle'].map((name) => ['payload', name] as const),
])('in a link, next to %j, %s is ignored', async (where, name) => {
  expect(await messageFor(api.createLink, withField(where, name, 'x'))).toBe('taken');
});

test.each(codes)(
  '%s is refused for code where a link is created, and in updates, because a link keeps its code',
  async (name) => {
    const body = { payload: { link }, [name]: 'launch' };
    expect(await messageFor(api.createLink, body)).toBe(`VALIDATION_ERROR ${name}: is unknown; use code`);
    for (const contract of [api.updateLink, api.patchLink])
      expect(await messageFor(contract, body)).toBe(
        `VALIDATION_ERROR ${name}: can't be changed, because a link keeps its code; leave it out`,
      );
  },
);

test.each(['password', 'maxVisits', 'max_clicks', 'domain', 'utm_id'])('%s is not offered', async (name) => {
  for (const contract of [api.createLink, api.updateLink])
    for (const where of ['', 'payload']) {
      const field = [where, name].filter(Boolean).join('.');
      expect(await messageFor(contract, withField(where, name, 1))).toBe(
        `VALIDATION_ERROR ${field}: is not offered by this service; leave it out`,
      );
    }
});

test.each([
  ['appId', 'appStoreId or packageName'],
  ['store_id', 'appStoreId or playStoreFallback'],
  ['bundle', 'packageName or bundleId'],
  ['bundle_identifier', 'packageName or bundleId'],
  ['package', 'packageName'],
  ['store_fallback', 'playStoreFallback'],
  ['app_store_fallback', 'appStoreFallback'],
  ['app_store_id', 'appStoreId'],
  ['min_version', 'androidMinVersion or iosMinVersion'],
  ['appName', 'name'],
])('in an app, %s is refused for %s', async (name, place) => {
  const message = `VALIDATION_ERROR ${name}: is unknown; use ${place}`;
  for (const value of ['1', null]) {
    const draft = { platform: 'IOS', name: 'N', bundleId: 'com.example', [name]: value };
    expect(await messageFor(api.createMobileApp, draft)).toBe(message);
    expect(await messageFor(api.updateMobileApp, { [name]: value })).toBe(message);
  }
});

// biome-ignore lint/suspicious/noExplicitAny: a part of the description
const description = openApi() as any;

/** The resources of an answer: itself, those of its lists, and those that a bulk call made. */
const resourcesIn = (data: unknown): object[] => {
  if (Array.isArray(data)) return data.flatMap(resourcesIn);
  if (typeof data !== 'object' || data === null) return [];
  const { apps, results, link: made } = data as Record<string, unknown>;
  if (typeof made === 'object') return resourcesIn(made);
  return [data, ...resourcesIn(apps ?? []), ...resourcesIn(results ?? [])].filter((one) => !('index' in one));
};

// Requests for share links are strict.
const returned = Object.entries<Contract>(api).filter(([, { publishable }]) => !publishable);
const answers = returned.map(([operation, contract]) => {
  const { responses } = description.paths[contract.path][contract.method.toLowerCase()];
  const { schema } = responses[statusOf(contract)].content['application/json'];
  const bodies = Object.values<Contract>(api).filter(({ tag, body }) => tag === contract.tag && body);
  const { data } = deref(schema.$ref, description).properties;
  return [operation, fitting(data, description), bodies.map(({ body }) => body)] as const;
});

test.each(answers)('a response of %s may be sent back', (_, answer, bodies) => {
  fc.assert(
    fc.property(answer, (data) => {
      for (const object of resourcesIn(data))
        for (const body of bodies) if (body) expect(nearMisses(body, object)).toEqual([]);
    }),
    { numRuns: runs(20) },
  );
});

/** The names of every property in a schema. */
const propertiesIn = (schema: unknown): string[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, part]) => [
    ...(keyword === 'properties' ? Object.keys(part) : []),
    ...propertiesIn(part),
  ]);
};

/** Several groupings of one call are shown by their names. */
const groupings = [
  'count',
  'timeseries',
  'links',
  'excluded',
  'filtered',
  'campaigns',
  'sources',
  'tags',
  ...dimensionNames,
];

const requests = /Draft|Change|Patch/;
const shownNames = new Set([
  ...Object.values<Record<string, { responses: object }>>(description.paths).flatMap((path) =>
    Object.values(path).flatMap(({ responses }) => propertiesIn(responses)),
  ),
  ...propertiesIn(Object.entries(description.components.schemas).filter(([name]) => !requests.test(name))),
  ...[...groupings, ...Object.keys(clickColumns)],
]);

test('no name of a response, an event or an export is taken for a slip', () => {
  const plain = (name: string) => name.toLowerCase().replaceAll('_', '');
  const isSlip = (name: string, fields: readonly string[]) =>
    fields.some((field) => plain(name) !== plain(field) && isNearly(plain(name), plain(field)));
  const slips = (fields: readonly string[]) => [...shownNames].filter((name) => isSlip(name, fields));
  const beside = slips(['code', 'name', 'tags', 'payload', 'expiresAt']);
  const inside = slips([...inPayload, 'link', 'desktop_fallback', 'interstitial', 'query', 'rules']);
  for (const { body } of [api.createLink, api.updateLink, api.patchLink]) {
    for (const name of beside) expect([name, nearMisses(body, withField('', name, 1))]).toEqual([name, []]);
    for (const name of inside)
      expect([name, nearMisses(body, withField('payload', name, 1))]).toEqual([name, []]);
  }
  const ofApp = slips(['platform', 'name', 'packageName', 'bundleId']);
  for (const { body } of [api.createMobileApp, api.updateMobileApp])
    for (const name of ofApp) expect([name, nearMisses(body, { [name]: 1 })]).toEqual([name, []]);
  expect([...inside, ...ofApp]).toEqual(expect.arrayContaining(['rule', 'links', 'campaigns', 'platforms']));
});
