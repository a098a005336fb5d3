import {
  androidAssociation,
  androidPackageFault,
  appleAssociation,
  type HostShare,
  iosAppFault,
  readFingerprint,
} from '../../../core/short-urls/association.ts';

const fingerprint =
  '14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5';
const apps = {
  ios: ['ABCDE12345.com.example.app'],
  android: [{ package: 'com.example.app', fingerprints: [fingerprint] }],
};
const ownHost: HostShare = { ...apps, beyond: 'everything' };
const folder: HostShare = { ...apps, folder: 'acme', beyond: 'nothing' };
const sharedHostsOwner: HostShare = { ...apps, folder: 'demo', beyond: 'top' };

interface Component {
  readonly '/'?: string;
  readonly '?'?: Readonly<Record<string, string>>;
  readonly exclude?: boolean;
}

/** Matches the patterns of Apple's and Google's files: `*` is any characters, `?` is one. */
const fits = (pattern: string, text: string): boolean =>
  new RegExp(
    `^${pattern
      .replace(/[.+^$()|[\]\\{}]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  ).test(text);

/** Whether a phone opens the app, by both companies' rule: the first component that fits decides. */
const opensByComponents = (components: readonly Component[], address: string): boolean => {
  const url = new URL(address, 'https://go.example.com');
  const first = components.find(
    (component) =>
      fits(component['/'] ?? '*', url.pathname) &&
      Object.entries(component['?'] ?? {}).every(([name, value]) =>
        fits(value, url.searchParams.get(name) ?? '\0'),
      ),
  );
  return first !== undefined && !first.exclude;
};

/** The same before iOS 13. */
const opensByPaths = (paths: readonly string[], path: string): boolean => {
  const first = paths.find((one) => fits(one.replace(/^NOT /, ''), path));
  return first !== undefined && !first.startsWith('NOT ');
};

const cases: [name: string, share: HostShare, opens: string[], stays: string[]][] = [
  [
    'on a custom host, every link',
    ownHost,
    ['/launch', '/acme/launch', '/launch?ref=1', '/launch?d=2'],
    ['/launch/qr.png', '/acme/launch/qr.svg', '/launch?d=1', '/launch?ref=1&d=1'],
  ],
  [
    "on a shared host, only the project's folder",
    folder,
    ['/acme/launch', '/acme/launch?ref=1'],
    ['/launch', '/other/launch', '/acme/launch/qr.png', '/acme/launch?d=1', '/', '/robots.txt'],
  ],
  [
    "on a shared host, for its owner, the links without a folder and those in the owner's",
    sharedHostsOwner,
    ['/launch', '/demo/launch', '/launch?ref=1'],
    ['/other/launch', '/launch/qr.png', '/demo/launch/qr.png', '/launch?d=1'],
  ],
];

describe.each(cases)('%s', (_, share, opens, stays) => {
  const { details } = appleAssociation([share]).applinks;
  const [statement] = androidAssociation([share]);
  const dynamic =
    statement?.relation_extensions['delegate_permission/common.handle_all_urls']?.dynamic_app_link_components;

  test.each(opens)('%s opens the app', (address) => {
    expect(opensByComponents(details[0]?.components ?? [], address)).toBe(true);
    expect(opensByComponents(dynamic ?? [], address)).toBe(true);
    expect(opensByPaths(details[0]?.paths ?? [], address.replace(/\?.*/, ''))).toBe(true);
  });

  test.each(stays)('%s stays in the browser', (address) => {
    expect(opensByComponents(details[0]?.components ?? [], address)).toBe(false);
    expect(opensByComponents(dynamic ?? [], address)).toBe(false);
    // Paths know no queries.
    if (!address.includes('?')) expect(opensByPaths(details[0]?.paths ?? [], address)).toBe(false);
  });
});

test('the Apple file has the published form, with `paths` and `components`', () => {
  expect(appleAssociation([folder])).toEqual({
    applinks: {
      apps: [],
      details: [
        {
          appID: 'ABCDE12345.com.example.app',
          paths: ['NOT /acme/*/qr.*', '/acme/*'],
          appIDs: ['ABCDE12345.com.example.app'],
          components: [
            { '?': { d: '1' }, exclude: true },
            { '/': '/acme/*/qr.*', exclude: true },
            { '/': '/acme/*' },
          ],
        },
      ],
    },
  });
});

test('the Android file has the published form', () => {
  expect(androidAssociation([ownHost])).toEqual([
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: 'com.example.app',
        sha256_cert_fingerprints: [fingerprint],
      },
      relation_extensions: {
        'delegate_permission/common.handle_all_urls': {
          dynamic_app_link_components: [
            { '?': { d: '1' }, exclude: true },
            { '/': '*/qr.*', exclude: true },
            { '/': '/*' },
            { '/': '*', exclude: true },
          ],
        },
      },
    },
  ]);
});

test('a host without associations has empty files', () => {
  expect(appleAssociation([])).toEqual({ applinks: { apps: [], details: [] } });
  expect(androidAssociation([])).toEqual([]);
});

test('fingerprints are accepted with and without colons, in any case', () => {
  expect(readFingerprint(fingerprint)).toBe(fingerprint);
  expect(readFingerprint(fingerprint.toLowerCase().replaceAll(':', ''))).toBe(fingerprint);
  for (const wrong of ['', fingerprint.slice(3), `${fingerprint}:00`, fingerprint.replace('1', 'G')]) {
    expect(readFingerprint(wrong)).toBeUndefined();
  }
});

test('invalid app ids and packages are refused', () => {
  expect(iosAppFault('ABCDE12345.com.example.app')).toBeUndefined();
  expect(androidPackageFault('com.example.app_2')).toBeUndefined();
  for (const wrong of ['', 'com.example.app', 'abcde12345.com.example', 'ABCDE12345.', 'ABCDE12345.a b']) {
    expect(iosAppFault(wrong)).toMatch(/is not an iOS app id/);
  }
  for (const wrong of ['', 'app', 'com.2example', 'com.example.', 'com.example app']) {
    expect(androidPackageFault(wrong)).toMatch(/is not an Android package/);
  }
});
