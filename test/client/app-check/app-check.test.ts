import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { appFindings } from '../../../client/program/app-check/app-check.ts';
import { findingNames } from '../../../client/program/app-check/findings.ts';
import { newFolder } from '../../support/folder.ts';
import { listen } from '../../support/listen.ts';
import { ofFile } from '../../support/of-file.ts';
import { root, textOf } from '../../support/source-files.ts';
import { associationOf, type Files, fingerprint, type Kind, projects } from './projects.ts';

const write = (files: Files): string => {
  const folder = newFolder();
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return folder;
};

const check = (project: Files, flags: object = {}, association: Files = associationOf()) =>
  appFindings(write(project), { host: 'go.example.com', association: write(association), ...flags });

test.each(Object.keys(projects) as Kind[])('a sound project has no findings: %s', async (kind) => {
  expect(await check(projects[kind])).toEqual([]);
  // On the shared host, with the project's folder.
  const inFolder = (text: string) =>
    text
      .replace(
        '<data android:host="go.example.com" />',
        '<data android:host="go.example.com" android:pathPrefix="/acme/" />',
      )
      .replace('"hosts": ["go.example.com"]', '"hosts": ["https://go.example.com/acme"]')
      .replace('"host": "go.example.com"', '"host": "go.example.com", "pathPrefix": "/acme/"');
  const files = Object.fromEntries(
    Object.entries(projects[kind]).map(([file, text]) => [file, inFolder(text)]),
  );
  const association = associationOf({ folder: 'acme', beyond: 'nothing' });
  expect(await check(files, { pathPrefix: '/acme' }, association)).toEqual([]);
});

const manifest = 'android/app/src/main/AndroidManifest.xml';
const rights = 'ios/Shop/Shop.entitlements';

/** A file of a kind's project, what is replaced in it, and what is found: its name, and the text of the line. */
type Mistake = readonly [
  kind: Kind,
  file: string,
  from: string | RegExp,
  to: string,
  name: string,
  line: string,
  place?: string,
];

const main = 'app/src/main/AndroidManifest.xml';
const runner = 'ios/Runner/Runner.entitlements';
const xcode = 'Shop.xcodeproj/project.pbxproj';
const byHand = 'app.config.json';

// biome-ignore format: a table
const mistakes: Mistake[] = [
  ['gradle', main, ' android:autoVerify="true"', '', 'android-no-autoverify', '<intent-filter>\n                <action android:name="android.intent.action.VIEW" />\n                <category android:name="android.intent.category.DEFAULT" />\n                <category android:name="android.intent.category.BROWSABLE" />\n                <data android:scheme="https"'],
  ['gradle', main, 'autoVerify="true"', 'autoVerify="false"', 'android-no-autoverify', 'autoVerify="false"'],
  ['reactNative', manifest, 'android:scheme="https"', 'android:scheme="http"', 'android-no-https', 'android:scheme="http"'],
  ['reactNative', manifest, '<data android:scheme="https" />', '', 'android-no-https', 'android:host'],
  ['flutter', manifest, 'android:host="go.example.com"', 'android:host="go.exmaple.com"', 'android-host', 'go.exmaple.com'],
  ['flutter', manifest, 'android:host="go.example.com"', 'android:host="Go.Example.com"', 'android-host', 'Go.Example'],
  ['flutter', manifest, 'android:host="go.example.com"', 'android:host="https://go.example.com"', 'android-host', 'https://go'],
  ['gradle', main, 'android:host="go.example.com"', 'android:host="*.example.com"', 'android-host', '*.example'],
  ['capacitor', manifest, '<data android:scheme="https" />', '<data android:scheme="https" />\n<data android:host="www.example.com" />', 'android-mixed-hosts', 'www.example'],
  ['capacitor', manifest, '<data android:scheme="https" />', '<data android:scheme="https" />\n<data android:scheme="shop" />', 'android-mixed-schemes', '"shop"'],
  ['reactNative', manifest, 'android:host="go.example.com"', 'android:host="go.example.com" android:pathPrefix="/acme/"', 'android-path', '/acme/'],
  ['reactNative', manifest, 'android:host="go.example.com"', 'android:host="go.example.com" android:path="/launch"', 'android-path', '/launch'],
  ['gradle', main, 'android:exported="true"', '', 'android-not-exported', '<activity\n'],
  ['gradle', main, 'android:exported="true"', 'android:exported="false"', 'android-not-exported', '<activity\n'],
  ['gradle', main, /<category android:name="android.intent.category.BROWSABLE" \/>\s*(?=<data android:scheme="https")/, '', 'android-no-browsable', '<intent-filter android:autoVerify'],
  ['gradle', main, /<category android:name="android.intent.category.DEFAULT" \/>(?=\s*<category android:name="android.intent.category.BROWSABLE" \/>\s*<data android:scheme="https")/, '', 'android-no-browsable', '<intent-filter android:autoVerify'],
  ['gradle', main, /<intent-filter android:autoVerify[\s\S]*?<\/intent-filter>/, '', 'android-no-filter', '<activity\n'],
  ['gradle', main, /<action android:name="android.intent.action.VIEW" \/>(?=[^V]*"https")/, '', 'android-no-filter', '<intent-filter android:autoVerify'],
  ['flutter', manifest, /(<intent-filter android:autoVerify[\s\S]*?<\/intent-filter>)([\s\S]*)android:exported="false" \/>/, '$2android:exported="true">$1</activity>', 'android-activity', '.AboutActivity'],
  ['gradle', main, /(<intent-filter android:autoVerify[\s\S]*?<\/intent-filter>)([\s\S]*)android:exported="false" \/>/, '$2>$1</activity>', 'android-not-exported', '.AboutActivity'],
  ['gradle', 'app/build.gradle', 'applicationId "com.example.shop"', 'applicationId "com.example.shop2"', 'android-package', 'applicationId "com.example.shop2"'],
  ['flavours', 'app/build.gradle.kts', '".shop"', '".store"', 'android-package', 'applicationId = "com.example"'],
  ['gradle', main, '</manifest>', '</manifes>', 'unreadable', '</manifes>'],
  ['reactNative', rights, 'applinks:go.example.com', 'go.example.com', 'ios-domain-form', 'string>go.example'],
  ['reactNative', rights, 'applinks:go.example.com', 'applinks:https://go.example.com', 'ios-domain-form', 'https://go'],
  ['reactNative', rights, 'applinks:go.example.com', 'https://go.example.com', 'ios-domain-form', 'https://go'],
  ['reactNative', rights, 'applinks:go.example.com', 'applinks:go.example.com/launch', 'ios-domain-form', '/launch'],
  ['reactNative', rights, 'applinks:go.example.com', 'applink:go.example.com', 'ios-domain-form', 'applink:go'],
  ['reactNative', rights, 'applinks:go.example.com', ' applinks: go.example.com', 'ios-domain-form', 'applinks: go'],
  ['flutter', runner, 'applinks:go.example.com', 'applinks:www.go.example.com', 'ios-domain-www', 'www.go'],
  ['flutter', runner, 'go.example.com', 'go.example.com?mode=developer', 'ios-developer-mode', 'mode=developer'],
  ['flutter', runner, '<string>applinks:go.example.com</string>', '', 'ios-no-entitlement', '<dict>'],
  ['capacitor', 'ios/App/App/App.entitlements', 'com.apple.developer.associated-domains', 'com.apple.developer.associated-domain', 'ios-no-entitlement', '<dict>'],
  ['xcode', xcode, /CODE_SIGN_ENTITLEMENTS[^\n]*/g, '', 'ios-entitlement-unused', 'applinks:', 'Shop/Shop.entitlements'],
  ['xcode', xcode, 'CODE_SIGN_ENTITLEMENTS = "Shop/Shop', 'CODE_SIGN_ENTITLEMENTS = "Shop/Old', 'ios-no-entitlement', 'Shop/Old'],
  ['xcode', xcode, 'com.example.shop;', 'com.example.store;', 'ios-bundle', 'com.example.store'],
  ['xcode', xcode, 'ABCDE12345', 'FGHIJ67890', 'ios-team', 'FGHIJ67890'],
  ['xcode', 'Shop/Info.plist', '$(PRODUCT_BUNDLE_IDENTIFIER)', 'com.example.other', 'ios-bundle', 'com.example.other'],
  ['xcode', 'Shop/Info.plist', '</dict>', '</dic>', 'unreadable', '</dic>'],
  ['xcode', xcode, 'archiveVersion = 1;', 'archiveVersion = 1', 'unreadable', 'objects = {'],
  ['expo', 'app.json', '"hosts": ["go.example.com"]', '"hosts": ["go.exmaple.com"]', 'android-host', 'go.exmaple'],
  ['expo', 'app.json', /,\s*\["dynamic-link-client.*/, '', 'expo-no-plugin', '"plugins"'],
  ['expo', 'app.json', '"package": "com.example.shop"', '"package": "com.example.store"', 'android-package', 'com.example.store'],
  ['expo', 'app.json', '"bundleIdentifier": "com.example.shop"', '"bundleIdentifier": "com.example.store"', 'ios-bundle', 'com.example.store'],
  ['expo', 'app.json', 'ABCDE12345', 'FGHIJ67890', 'ios-team', 'FGHIJ67890'],
  ['expo', 'app.json', '"name": "Shop",', '"name": "Shop"', 'unreadable', '"ios"'],
  ['expoByHand', byHand, '"autoVerify": true,', '', 'android-no-autoverify', '      {'],
  ['expoByHand', byHand, 'applinks:go', 'https://go', 'ios-domain-form', 'https://go'],
  ['expoByHand', byHand, '"BROWSABLE", ', '', 'android-no-browsable', '      {'],
  ['expoByHand', byHand, '["applinks:go.example.com"]', '[]', 'ios-no-entitlement', '"associatedDomains"'],
  ['flutter', 'pubspec.yaml', 'name: shop', 'name: a: b', 'unreadable', 'name'],
];

/** The number of the line in which a text begins. */
const lineOf = (text: string, part: string): number => {
  expect(text).toContain(part);
  return text.slice(0, text.indexOf(part)).split('\n').length;
};

const brief = (findings: Awaited<ReturnType<typeof check>>) =>
  findings.map(({ name, file, line }) => ({ name, file, line }));

test.each(mistakes.map((one) => [one.slice(0, 5).join(', '), one] as const))('%s', async (_, mistake) => {
  const [kind, file, from, to, name, line, place = file] = mistake;
  const files: Files = projects[kind];
  const changed: Files = { ...files, [file]: (files[file] ?? '').replace(from, to) };
  expect(changed[file]).not.toBe(files[file]);
  const findings = await check(changed);
  expect(brief(findings)).toContainEqual({ name, file: place, line: lineOf(changed[place] ?? '', line) });
  // Expo's plugin serves both systems.
  if (kind !== 'expo') expect(findings).toHaveLength(1);
  expect(findings[0]?.remedy).toContain(`See docs/apps.md#${findings[0]?.name}`);
});

const android = projects.gradle;
const folders: [string, Partial<Parameters<typeof associationOf>[0]>, object, string | null][] = [
  ['another folder', { folder: 'other', beyond: 'nothing' }, { pathPrefix: '/acme/' }, 'association-path'],
  ['the folder', { folder: 'acme', beyond: 'nothing' }, { pathPrefix: '/acme/' }, null],
  ['no path, on the shared host', { folder: 'acme', beyond: 'nothing' }, {}, 'association-path'],
];
test.each(folders)('rules for %s', async (_, share, flags, name) => {
  const found = await check(projects.xcode, flags, associationOf(share));
  expect(found.map((one) => one.name)).toEqual(name === null ? [] : [name]);
});

test('the whole host in the manifest is too much for a folder', async () => {
  const found = await check(
    android,
    { pathPrefix: '/acme/' },
    associationOf({ folder: 'acme', beyond: 'nothing' }),
  );
  const file = 'app/src/main/AndroidManifest.xml';
  const line = lineOf(android[file], 'android:host');
  expect(brief(found)).toEqual([{ name: 'android-path', file, line }]);
});

const debug =
  'FA:C6:17:45:DC:09:03:78:6F:B9:ED:E6:2A:96:2B:39:9F:73:48:F0:BB:6F:89:9B:83:32:66:75:91:03:3B:9C';
test.each([
  [[debug], ['android-debug-fingerprint']],
  [[debug, fingerprint], []],
])('fingerprints %j', async (fingerprints, names) => {
  const apps = { android: [{ package: 'com.example.shop', fingerprints }] };
  expect((await check(android, {}, associationOf(apps))).map(({ name }) => name)).toEqual(names);
});

test.each([
  [
    'a host in a variable',
    'app/src/main/AndroidManifest.xml',
    'android:host="go.example.com"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Gradle's variable
    'android:host="${host}"',
  ],
  [
    'a host in a resource',
    'app/src/main/AndroidManifest.xml',
    'android:host="go.example.com"',
    'android:host="@string/host"',
  ],
  ['an id in a variable', 'app/build.gradle', '"com.example.shop"', 'appId'],
  ['an id with a variable', 'app/build.gradle', '"com.example.shop"', '"com.example.$name"'],
] as const)('%s gives no finding', async (_, file, from, to) => {
  const project: Files = android;
  expect(await check({ ...project, [file]: (project[file] ?? '').replace(from, to) })).toEqual([]);
});

test('one right target or flavour is enough', async () => {
  const wrong = {
    'other/src/main/AndroidManifest.xml': android['app/src/main/AndroidManifest.xml'].replaceAll(
      'go.',
      'no.',
    ),
  };
  expect(await check({ ...android, ...wrong })).toEqual([]);
  const { 'Shop.xcodeproj/project.pbxproj': own, ...others } = projects.xcode;
  const elsewhere = (own ?? '')
    .replaceAll('Shop/Shop', 'Shop/Other')
    .replace('com.example.shop;', 'com.example.other;');
  expect(
    await check({
      ...others,
      'Shop.xcodeproj/project.pbxproj': own ?? '',
      'Other.xcodeproj/project.pbxproj': elsewhere,
    }),
  ).toEqual([]);
});

test('a program as configuration is a finding, unless its output is given', async () => {
  const config = 'app.config.ts';
  const project = { ...projects.expo, [config]: 'throw new Error("Nothing runs this")' };
  expect(brief(await check(project))).toEqual([{ name: 'expo-dynamic-config', file: config, line: null }]);
  const given = path.join(write({ 'expo.json': projects.expoByHand['app.config.json'] }), 'expo.json');
  expect(await check(project, { expoConfig: given })).toEqual([]);
  const [found] = await check(project, { expoConfig: given, host: 'no.example.com' });
  expect(found?.file).toBe(given);
});

test('links out of the project, generated folders and large files are not read', async () => {
  const other = write({ 'src/main/AndroidManifest.xml': '<broken' });
  const folder = write({
    ...android,
    'build/app.json': '{',
    'app/Pods/Info.plist': '<broken',
    'a.entitlements': 'bplist00',
  });
  symlinkSync(other, path.join(folder, 'linked'));
  symlinkSync(path.join(other, 'src/main/AndroidManifest.xml'), path.join(folder, 'AndroidManifest.xml'));
  writeFileSync(path.join(folder, 'Info.plist'), Buffer.alloc(8 * 1024 * 1024 + 1));
  writeFileSync(path.join(folder, 'app.json'), Buffer.from('{"expo": "\xfc"}', 'latin1'));
  const found = await appFindings(folder, { host: 'go.example.com', association: write(associationOf()) });
  expect(found.map(({ file, finding }) => [file, finding])).toEqual([
    ['Info.plist', 'The file is larger than 8 MB.'],
    ['a.entitlements', 'The file is a binary property list.'],
    ['app.json', "The file isn't in UTF-8."],
  ]);
});

test.each([
  [{ host: 'https://go.example.com' }, '--host'],
  [{ host: 'go.example.com:8443' }, '--host'],
  [{ host: '10.0.0.1' }, '--host'],
  [{ host: 'go.example.com/acme' }, '--host'],
  [{ pathPrefix: 'acme' }, '--path-prefix'],
  [{ expoConfig: 'nothing.json' }, '--expo-config'],
  [{ association: 'nothing' }, '--association'],
])('%j is wrong usage', async (flags, option) => {
  await expect(check(android, flags)).rejects.toThrow(`${option}: `);
});

test('a folder without an app, and none, are wrong usage', async () => {
  await expect(check({ 'package.json': '{}' })).rejects.toThrow('has no app');
  await expect(appFindings('nothing', { host: 'go.example.com' })).rejects.toThrow("isn't a folder");
});

describe('files of a host', () => {
  type Answer = (request: IncomingMessage, response: ServerResponse) => void;
  let answer: Answer;
  const asked: string[] = [];
  const server = ofFile(() =>
    listen((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      answer(request, response);
    }),
  );
  const association = associationOf();
  const send =
    (status: number, headers: Record<string, string>, text?: string): Answer =>
    ({ url = '' }, response) =>
      response.writeHead(status, headers).end(text ?? association[path.basename(url)]);
  const json = { 'content-type': 'application/json' };
  const checkHost = () => {
    const project = projects.reactNative;
    const local = Object.entries(project).map(([file, text]) => [
      file,
      text.replaceAll('go.example.com', '127.0.0.1'),
    ]);
    asked.length = 0;
    const { host } = new URL(server.endpoint);
    return appFindings(write(Object.fromEntries(local)), { host });
  };

  test('are asked for once each', async () => {
    answer = send(200, { 'content-type': 'application/json; charset=utf-8' });
    expect(await checkHost()).toEqual([]);
    expect(asked.sort()).toEqual([
      'GET /.well-known/apple-app-site-association',
      'GET /.well-known/assetlinks.json',
    ]);
  });

  test.each<[string, Answer, string, number | null]>([
    ['a missing file', send(404, json), 'association-missing', null],
    ['a redirect', send(301, { location: 'https://www.example.com/' }), 'association-redirect', null],
    ['another type', send(200, { 'content-type': 'text/plain' }), 'association-type', null],
    ['no type', send(200, {}), 'association-type', null],
    ['a page', send(200, json, '\n\n<html>'), 'association-json', 3],
    ['a comma at the end', send(200, json, '[\n1,]'), 'association-json', null],
    ['a large file', send(200, json, `"${' '.repeat(128 * 1024)}"`), 'association-size', null],
    [
      'an endless file',
      (_, response) => {
        response.writeHead(200, json);
        const more = () => {
          response.write(' '.repeat(10_000));
          if (!response.destroyed) setImmediate(more);
        };
        more();
      },
      'association-size',
      null,
    ],
    ['a broken connection', ({ socket }) => socket.destroy(), 'association-missing', null],
  ])('%s is a finding for each', async (_, one, name, line) => {
    answer = one;
    const found = await checkHost();
    const of = (file: string) => ({ name, file: `${server.endpoint}/.well-known/${file}`, line });
    expect(brief(found)).toEqual([of('apple-app-site-association'), of('assetlinks.json')]);
    expect(asked).toHaveLength(2);
  });
});

test('the built program prints findings, and its exit codes tell', () => {
  const program = path.join(root, 'client/dist/program/dynamic-links.js');
  const association = write(associationOf());
  const run = (...given: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'app', 'check', ...given], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    });
    return [status, stdout, stderr.trim()];
  };
  const sound = write(android);
  expect(run(sound, '--host', 'go.example.com', '--association', association)).toEqual([0, '', '']);
  const [status, printed] = run(sound, '--host', 'go.example.org', '--association', association, '--json');
  expect([status, JSON.parse(String(printed))]).toEqual([
    1,
    [
      {
        name: 'android-host',
        file: main,
        line: 24,
        finding: expect.stringContaining('go.example.com'),
        remedy: expect.stringContaining('android:host="go.example.org"'),
      },
    ],
  ]);
  expect(run(sound, '--host', 'go.example.org', '--association', association)).toEqual([
    1,
    expect.stringMatching(/^app\/src\/main\/AndroidManifest\.xml:24: android-host: .*\n$/),
    '',
  ]);
  for (const given of [
    [],
    [sound],
    [sound, '--host', '//'],
    ['nothing', '--host', 'a.example'],
    [association, '--host', 'a.example'],
  ])
    expect(run(...given)).toEqual([2, '', expect.stringMatching(/^.+$/)]);
});

test('each finding has a section in the page', () => {
  const headings = textOf('docs/apps.md').match(/(?<=^#+ )[a-z-]+$/gm);
  expect(headings).toEqual(expect.arrayContaining(findingNames));
});
