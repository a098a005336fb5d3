import { appFields, namedAppFields } from '../../../core/apps/app-fields.ts';
import { addressesOfApp, newMobileApp } from '../../../core/apps/mobile-app.ts';
import { mobileAppChange, mobileAppResult } from '../../../core/apps/mobile-app-schema.ts';
import { refuseFaults } from '../../../core/failure.ts';
import type { Field } from '../../../core/field.ts';
import { examplePayload } from '../../../core/links/example-payload.ts';
import { check, settlePayload } from '../../../core/links/link-draft.ts';
import { linkChange, linkDraft, linkPayload } from '../../../core/links/link-schema.ts';
import { appSections, type LinkPayload, namedPayloadFields } from '../../../core/links/payload-fields.ts';
import type { Apps } from '../../../core/short-urls/app-settings.ts';
import { type Addresses, destinationStore } from '../../../core/short-urls/destination-store.ts';
import { route } from '../../../core/short-urls/routing.ts';
import type { Table } from '../../../core/table/table.ts';

const link = 'https://example.com/landing';
const now = new Date('2026-06-01T12:00:00.000Z');
const ownHost = 'go.example.com';
const loop = `https://${ownHost}/code`;

const visitors = {
  android: { kind: 'person', platform: 'android' },
  ios: { kind: 'person', platform: 'ios' },
  desktop: { kind: 'person', platform: 'web' },
  crawler: { kind: 'social-crawler', platform: 'web' },
} as const;
type Kind = keyof typeof visitors;

/** The response to each kind of visitor for a link with this payload. */
const answers = (payload: LinkPayload, apps: Apps = {}) =>
  Object.entries(visitors).map(
    ([kind, visitor]) =>
      [
        kind,
        JSON.stringify(
          route({ status: 'ACTIVE', payload }, apps, { visitor, query: '', now, shortUrl: loop }),
        ),
      ] as const,
  );

/** The fields of a payload by path. The tests of saved apps below cover the fields that name apps. */
const leaves = namedPayloadFields.flatMap(([name, entry]): [string, Field][] =>
  'fields' in entry
    ? Object.entries(entry.fields).map(([field, one]) => [`${name}.${field}`, one])
    : [[name, entry]],
);

const withField = (path: string, value: string): LinkPayload => {
  const [name = '', field] = path.split('.');
  return { link, [name]: field === undefined ? value : { [field]: value } };
};

/** For each field, the visitors that it alone redirects. A new field needs an entry here. */
const moves: Readonly<Record<string, readonly Kind[]>> = {
  link: ['android', 'ios', 'desktop', 'crawler'],
  iosAppId: [],
  androidAppId: [],
  'android.package': ['android'],
  'android.store_fallback': ['android'],
  'android.min_version': [],
  'ios.bundleId': [],
  'ios.app_store_fallback': ['ios'],
  'ios.app_store_id': ['ios'],
  'ios.min_version': [],
  'social.title': ['crawler'],
  'social.description': ['crawler'],
  'social.image': ['crawler'],
  'campaign.utm_source': ['android', 'ios', 'desktop', 'crawler'],
  'campaign.utm_medium': ['android', 'ios', 'desktop', 'crawler'],
  'campaign.utm_campaign': ['android', 'ios', 'desktop', 'crawler'],
  'campaign.utm_term': ['android', 'ios', 'desktop', 'crawler'],
  'campaign.utm_content': ['android', 'ios', 'desktop', 'crawler'],
  desktop_fallback: ['desktop', 'crawler'],
  interstitial: [],
  query: [],
};

test('this test covers every field of the payload', () => {
  expect(Object.keys(moves)).toEqual(leaves.map(([path]) => path));
});

test.each(leaves)('%s redirects the right visitors', (path, { example }) => {
  const before = new Map(answers({ link }));
  const moved = answers(withField(path, example)).filter(([kind, answer]) => before.get(kind) !== answer);
  expect(moved.map(([kind]) => kind)).toEqual(moves[path]);
});

const movesOfApp: Readonly<Record<string, readonly Kind[]>> = {
  bundleId: [],
  appStoreFallback: ['ios'],
  appStoreId: ['ios'],
  iosMinVersion: [],
  packageName: ['android'],
  playStoreFallback: ['android'],
  androidMinVersion: [],
};

test('this test covers every field of a mobile app', () => {
  expect(Object.keys(movesOfApp)).toEqual(Object.keys(appFields));
});

test.each(namedAppFields)('%s of a saved app redirects the right visitors', (name, { platform, example }) => {
  const section = platform === 'IOS' ? 'ios' : 'android';
  const before = new Map(answers({ link }));
  const moved = answers({ link }, { [section]: { [name]: example } }).filter(
    ([kind, answer]) => before.get(kind) !== answer,
  );
  expect(moved.map(([kind]) => kind)).toEqual(movesOfApp[name]);
});

const isRefused = async (check: () => Promise<unknown> | unknown): Promise<boolean> => {
  try {
    await check();
    return false;
  } catch {
    return true;
  }
};

const emptyTable = { get: async () => undefined, query: async () => [], batchGet: async () => [] };
const destinations = destinationStore(emptyTable as unknown as Table);

const lookups = {
  hosts: (addresses: readonly Addresses[]) => destinations.hosts(addresses, [ownHost]),
  apps: async () => new Map(),
};

// No field may hold a short URL of this service, because visitors would be redirected in a loop.
test.each(leaves)('%s cannot cause a redirect loop', async (path) => {
  const payload = withField(path, loop);
  const refused = await isRefused(() =>
    check({ payload: linkDraft.parse({ payload }).payload }, now, lookups),
  );
  const circling = answers(payload).filter(([, answer]) => answer.includes(`"url":"${loop}`));
  expect(refused ? [] : circling).toEqual([]);
});

test.each(namedAppFields)('%s of a saved app cannot cause a redirect loop', async (name, { platform }) => {
  const refused = await isRefused(async () => {
    mobileAppChange.parse({ [name]: loop });
    refuseFaults(await destinations.faults(addressesOfApp({ [name]: loop }), [ownHost]));
  });
  const section = platform === 'IOS' ? 'ios' : 'android';
  const circling = answers({ link }, { [section]: { [name]: loop } }).filter(([, answer]) =>
    answer.includes(`"url":"${loop}`),
  );
  expect(refused ? [] : circling).toEqual([]);
});

describe('the example', () => {
  test('is a valid draft and change, and shown as stored', () => {
    expect(linkDraft.parse({ payload: examplePayload }).payload).toEqual(examplePayload);
    expect(linkChange.parse({ payload: examplePayload }).payload).toEqual(examplePayload);
    expect(linkPayload.parse(examplePayload)).toEqual(examplePayload);
  });

  test('has every field but the ids of saved apps', () => {
    const set = (path: string) =>
      path
        .split('.')
        .reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], examplePayload);
    const missing = leaves.filter(([path]) => set(path) === undefined).map(([path]) => path);
    expect(missing).toEqual(appSections.map(({ appId }) => appId).sort((a, b) => (a < b ? 1 : -1)));
  });
});

describe('settings saved as an app', () => {
  test('each have a field of the app, of the same kind and platform', () => {
    for (const { fields, platform } of appSections) {
      for (const { savedAs, kind } of Object.values(fields)) {
        expect([savedAs, appFields[savedAs].kind, appFields[savedAs].platform]).toEqual([
          savedAs,
          kind,
          platform,
        ]);
      }
    }
  });

  test('are all saved, and route visitors as before', () => {
    const { android, ios } = examplePayload;
    const saving = { saveApp: true, appName: 'Shop' };
    const draft = { link, android: { ...android, ...saving }, ios: { ...ios, ...saving } };
    const settled = settlePayload(draft, () => 'id', now);
    expect(settled.payload).toEqual({ link, android, ios, androidAppId: 'id', iosAppId: 'id' });
    const [androidApp, iosApp] = settled.apps;
    expect(androidApp).toEqual(
      newMobileApp('id', { platform: 'ANDROID', name: 'Shop', ...examplesFor('ANDROID') }, now),
    );
    expect(iosApp).toEqual(newMobileApp('id', { platform: 'IOS', name: 'Shop', ...examplesFor('IOS') }, now));
    expect(mobileAppResult.parse(iosApp)).toEqual(iosApp);
    expect(answers({ link }, { android: androidApp, ios: iosApp })).toEqual(answers({ link, android, ios }));
  });

  const examplesFor = (platform: string) =>
    Object.fromEntries(
      namedAppFields
        .filter(([, field]) => field.platform === platform)
        .map(([name, { example }]) => [name, example]),
    );
});
