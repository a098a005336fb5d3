import { newMobileApp } from '../../../core/apps/mobile-app.ts';
import { appCalls } from '../../../ops/console-server/calls/apps.ts';
import { linkCalls } from '../../../ops/console-server/calls/link.ts';
import { linkEditOf, newLinkOf } from '../../../ops/links/link-body.ts';
import { editLink } from '../../../ops/links/link-edits.ts';
import { showLink } from '../../../ops/links/links.ts';
import { warningsOf } from '../../../ops/links/live-link.ts';
import { unique } from '../../support/builders.ts';
import { firebaseExport } from '../../support/foreign-exports.ts';
import { importText } from '../../support/imports.ts';
import { fileDeployment, projectIn, storeLink } from '../../support/ops-deployment.ts';

/** Inputs that people mistake for an identifier. */
const noIdentifiers = [
  'https://play.google.com/store/apps/details?id=com.example.app',
  'market://details',
  'play.google.com/com.example.app',
  'my app',
  'com.example.app ',
  '\u00a0com.example.app',
  'com.example.app\n',
  'com.\u0000example',
  'com.example.app?hl=de',
  'com.example.app#top',
  'me@example.com',
];

/** The message that refuses them. */
const saysWhatItMustBe = /must be an identifier such as com\.example\.app.*goes into the store fallback/;

const deployment = fileDeployment();
let project: string;
beforeEach(async () => {
  project = await projectIn(deployment);
});

const link = 'https://example.com/landing';
const payloads = (text: string) => [
  ['payload.android.package', { link, android: { package: text } }] as const,
  ['payload.ios.bundleId', { link, ios: { bundleId: text } }] as const,
];
const drafts = (text: string) => [
  ['packageName', { platform: 'ANDROID' as const, name: 'Shop', packageName: text }] as const,
  ['bundleId', { platform: 'IOS' as const, name: 'Shop', bundleId: text }] as const,
];

/** The fault for which a body is refused. */
const refusalOf = (read: () => unknown): string => {
  try {
    read();
    return 'nothing';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

test.each(noIdentifiers)('commands and the console refuse %j', (text) => {
  for (const [field, payload] of payloads(text)) {
    const ways = {
      'link create': () => newLinkOf({}, { payload }),
      'link update': () => linkEditOf({}, { payload }),
      'a new link of the console': () => linkCalls.createLink.input.parse({ project, link: { payload } }),
      'an edit of the console': () =>
        linkCalls.updateLink.input.parse({ project, code: 'abc', link: { payload } }),
    };
    for (const [way, read] of Object.entries(ways)) {
      const refusal = refusalOf(read);
      expect([way, refusal]).toEqual([way, expect.stringMatching(saysWhatItMustBe)]);
      expect(refusal).toContain(field.split('.').at(-1));
    }
  }
  for (const [field, draft] of drafts(text)) {
    const { platform: _, ...change } = draft;
    for (const read of [
      () => appCalls.createApp.input.parse({ project, app: draft }),
      () => appCalls.updateApp.input.parse({ project, id: 'x', app: change }),
    ]) {
      const refusal = refusalOf(read);
      expect(refusal).toMatch(saysWhatItMustBe);
      expect(refusal).toContain(field);
    }
  }
});

const imported = (text: string, format: 'ndjson' | 'csv' | 'firebase') =>
  importText(deployment, { project, name: 'links', text, format, host: 'old.example' });

test('an import refuses rows with such a text, and from elsewhere it leaves the text out', async () => {
  const rows = noIdentifiers.flatMap((text) => [
    ...payloads(text).map(([, payload]) => ({ code: unique('row'), payload })),
    ...drafts(text).map(([, app]) => ({
      code: unique('row'),
      payload: { link, [app.platform === 'IOS' ? 'iosAppId' : 'androidAppId']: 'one' },
      apps: [{ ...app, id: 'one' }],
    })),
  ]);
  const refused = await imported(rows.map((row) => JSON.stringify(row)).join('\n'), 'ndjson');
  expect(refused).toHaveLength(rows.length);
  for (const { result, reason } of refused)
    expect([result, reason]).toEqual(['refused', expect.stringMatching(saysWhatItMustBe)]);
  const [cell] = await imported('code,link,androidPackage\nrow-1,https://example.com/,my app\n', 'csv');
  expect(cell).toMatchObject({ result: 'refused', reason: expect.stringMatching(saysWhatItMustBe) });
  const foreign = firebaseExport([{ short_link: 'https://old.example/Code1', link, apn: 'my app' }]);
  expect(await imported(foreign, 'firebase')).toMatchObject([{ code: 'Code1', result: 'created' }]);
  expect((await showLink(deployment, project, 'Code1')).payload.android).not.toHaveProperty('package');
});

describe('a link that has one already', () => {
  const store = async () => {
    const app = newMobileApp('old', { platform: 'IOS', name: 'Shop', bundleId: 'my app' }, new Date());
    await deployment.stores.apps.create(project, app);
    const payload = { link, android: { package: 'my app' }, iosAppId: 'old' };
    await storeLink(deployment, { project, code: 'old-link', payload });
    return payload;
  };

  test('stays as it is, lets other fields be edited, and warns', async () => {
    const payload = await store();
    const shown = await showLink(deployment, project, 'old-link');
    expect(shown.payload).toEqual(payload);
    expect(await warningsOf(deployment, shown)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^The Android package is no package name/),
        expect.stringMatching(/^The bundle id is none/),
      ]),
    );
    const id = { project, code: 'old-link' };
    await editLink(deployment, id, linkEditOf({ name: 'New name' }));
    expect(await showLink(deployment, project, 'old-link')).toMatchObject({ name: 'New name', payload });
    expect(() => linkEditOf({}, { payload: { android: payload.android } })).toThrow(saysWhatItMustBe);
  });

  test('an app that has one can be renamed', async () => {
    await store();
    const change = appCalls.updateApp.input.parse({ project, id: 'old', app: { name: 'Renamed' } }).app;
    const updated = await deployment.stores.apps.update(project, 'old', { change, now: new Date() });
    expect(updated).toMatchObject({ name: 'Renamed', bundleId: 'my app' });
  });
});

test('identifiers of every store are taken', () => {
  for (const text of [
    'com.example.app',
    'com.example-shop.My_App2',
    'ABCDE12345.com.example',
    'x',
    'Ümlaut.de',
  ])
    expect(
      newLinkOf({}, { payload: { link, android: { package: text }, ios: { bundleId: text } } }),
    ).toHaveProperty('payload.android.package', text);
});
