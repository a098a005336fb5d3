import { appSections, namedAppFields, sectionSettings } from '../../../core/apps/app-fields.ts';
import { addressesOfApp, newMobileApp } from '../../../core/apps/mobile-app.ts';
import { mobileAppChange, mobileAppResult } from '../../../core/apps/mobile-app-schema.ts';
import { toSavedSettings } from '../../../core/apps/saved-settings.ts';
import { refuseFaults } from '../../../core/base/failure.ts';
import { destinationStore } from '../../../core/destinations/destination-store.ts';
import type { Field, Texts } from '../../../core/fields/field.ts';
import { examplePayload } from '../../../core/links/example-payload.ts';
import { checkLink, extractSavedApps } from '../../../core/links/link-draft.ts';
import { linkChange, linkDraft } from '../../../core/links/link-schema.ts';
import { type LinkPayload, namedPayloadFields } from '../../../core/links/payload-fields.ts';
import { linkPayload } from '../../../core/links/stored-link-schema.ts';
import type { Apps } from '../../../core/short-urls/app-settings.ts';
import { route } from '../../../core/short-urls/routing.ts';
import type { Table } from '../../../core/table/table.ts';
import { type VisitorKind, visitorKinds } from '../../../core/visits/visitor.ts';

const link = 'https://example.com/landing';
const now = new Date('2026-06-01T12:00:00.000Z');
const ownHost = 'go.example.com';
const loop = `https://${ownHost}/code`;

/** The response to each kind of visitor for a link with this payload. */
const answers = (payload: LinkPayload, apps: Apps = {}) =>
  Object.entries(visitorKinds).map(
    ([kind, { visitor }]) =>
      [
        kind,
        JSON.stringify(
          route({ status: 'ACTIVE', payload }, apps, { visitor, query: '', now, shortUrl: loop }),
        ),
      ] as const,
  );

/** The fields of a payload by path. The tests of saved apps below cover the fields that name apps. */
const leaves = namedPayloadFields.flatMap(([name, entry]): [string, Field | Texts][] =>
  'fields' in entry
    ? Object.entries(entry.fields).map(([field, one]) => [`${name}.${field}`, one])
    : [[name, entry]],
);

const withField = (path: string, value: unknown): LinkPayload => {
  const [name = '', field] = path.split('.');
  return { link, [name]: field === undefined ? value : { [field]: value } };
};

/**
 * For each field, the visitors that it redirects, without or with the whole example. A new field needs an entry here;
 * one that a saved app keeps redirects the same visitors from there.
 */
const moves: Readonly<Record<string, readonly VisitorKind[]>> = {
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
  data: [],
};

test('this test covers every field of the payload', () => {
  expect(Object.keys(moves)).toEqual(leaves.map(([path]) => path));
});

type Answers = ReturnType<typeof answers>;
/** The visitors whose answers a field changes. */
const moved = (...pairs: readonly (readonly [before: Answers, after: Answers])[]) =>
  Object.keys(visitorKinds).filter((_, i) =>
    pairs.some(([before, after]) => before[i]?.[1] !== after[i]?.[1]),
  );

/** The whole example without rules, which decide before every field, and without one field. */
const exampleWithout = (path: string): LinkPayload => {
  const payload = structuredClone({ ...examplePayload, rules: undefined }) as Record<string, unknown>;
  const [name = '', field] = path.split('.');
  if (field !== undefined) delete (payload[name] as Record<string, unknown>)[field];
  else payload[name] = name === 'link' ? link : undefined;
  return payload as unknown as LinkPayload;
};
const wholeExample = exampleWithout('rules');

test.each(leaves)('%s redirects the right visitors', (path, { example }) => {
  const single = [answers({ link }), answers(withField(path, example))] as const;
  const whole = [answers(exampleWithout(path)), answers(wholeExample)] as const;
  expect(moved(single, whole)).toEqual(moves[path]);
});

const savedSettings = appSections.flatMap(({ name: section }) =>
  sectionSettings(section).flatMap(([setting, { saved, example }]) =>
    saved ? [{ field: saved.as, section, setting, example }] : [],
  ),
);

test.each(savedSettings)(
  '$field of a saved app redirects the right visitors',
  ({ field, section, setting, example }) => {
    const app = toSavedSettings(section, wholeExample[section] ?? {});
    const single = [answers({ link }), answers({ link }, { [section]: { [field]: example } })] as const;
    const whole = [
      answers(wholeExample, { [section]: { ...app, [field]: null } }),
      answers(wholeExample, { [section]: app }),
    ] as const;
    expect(moved(single, whole)).toEqual(moves[`${section}.${setting}`]);
  },
);

const isRefused = async (check: () => Promise<unknown> | unknown): Promise<boolean> => {
  try {
    await check();
    return false;
  } catch {
    return true;
  }
};

const emptyTable = { get: async () => undefined, query: async () => [], batchGet: async () => [] };
const destinations = destinationStore(emptyTable as unknown as Table, { blocked: async () => new Set() });

const call = { caller: { project: 'acme' }, now, shortHosts: [ownHost] };
const known = { apps: { existing: async () => new Map() }, destinations };

// No field may hold a short URL of this service, because visitors would be redirected in a loop.
test.each(leaves)('%s cannot cause a redirect loop', async (path) => {
  const payload = withField(path, loop);
  const refused = await isRefused(() =>
    checkLink({ payload: linkDraft.parse({ payload }).payload }, call, known),
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
  test('are all saved, and route visitors as before', () => {
    const { android, ios } = examplePayload;
    const saving = { saveApp: true, appName: 'Shop' };
    const draft = { link, android: { ...android, ...saving }, ios: { ...ios, ...saving } };
    const settled = extractSavedApps(draft, now, () => 'id');
    expect(settled.payload).toEqual({ link, android, ios, androidAppId: 'id', iosAppId: 'id' });
    const [androidApp, iosApp] = settled.apps;
    expect(androidApp).toEqual(
      newMobileApp('id', { platform: 'ANDROID', name: 'Shop', ...examplesFor('ANDROID') }, now),
    );
    expect(iosApp).toEqual(newMobileApp('id', { platform: 'IOS', name: 'Shop', ...examplesFor('IOS') }, now));
    expect(mobileAppResult.parse(iosApp)).toEqual(iosApp);
    const apps = { android: androidApp, ios: iosApp };
    expect(answers(settled.payload, apps)).toEqual(answers({ link, android, ios }));
  });

  const examplesFor = (platform: string) =>
    Object.fromEntries(
      namedAppFields
        .filter(([, field]) => field.platform === platform)
        .map(([name, { example }]) => [name, example]),
    );
});
