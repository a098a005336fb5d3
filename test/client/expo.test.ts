import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AndroidConfig, compileModsAsync, type ExportedConfig, IOSConfig } from '@expo/config-plugins';
import withDynamicLinks from '../../client/expo.ts';
import { newFolder } from '../support/folder.ts';

/* Runs the plugin as `npx expo prebuild` does: Expo's own writers apply its additions to the native projects. */

const folder = newFolder();

const files = {
  'android/app/src/main/AndroidManifest.xml': `<manifest xmlns:android="http://schemas.android.com/apk/res/android">
  <application android:name=".MainApplication">
    <activity android:name=".MainActivity">
      <intent-filter>
        <action android:name="android.intent.action.MAIN"/>
        <category android:name="android.intent.category.LAUNCHER"/>
      </intent-filter>
    </activity>
  </application>
</manifest>
`,
  'ios/Shop/Shop.entitlements': `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>aps-environment</key><string>production</string></dict></plist>
`,
  'ios/Shop/AppDelegate.swift': '',
  // The least of a project in which Expo finds its target and its entitlements.
  'ios/Shop.xcodeproj/project.pbxproj': `// !$*UTF8*$!
{ archiveVersion = 1; classes = {}; objectVersion = 46; objects = {
/* Begin PBXNativeTarget section */
A1 /* Shop */ = { isa = PBXNativeTarget; buildConfigurationList = A2; name = Shop; productType = "com.apple.product-type.application"; };
/* End PBXNativeTarget section */
/* Begin PBXProject section */
A3 /* Project object */ = { isa = PBXProject; targets = ( A1 /* Shop */, ); };
/* End PBXProject section */
/* Begin XCBuildConfiguration section */
A4 /* Release */ = { isa = XCBuildConfiguration; buildSettings = { CODE_SIGN_ENTITLEMENTS = Shop/Shop.entitlements; PRODUCT_NAME = Shop; }; name = Release; };
/* End XCBuildConfiguration section */
/* Begin XCConfigurationList section */
A2 = { isa = XCConfigurationList; buildConfigurations = ( A4 /* Release */, ); defaultConfigurationName = Release; };
/* End XCConfigurationList section */
}; rootObject = A3 /* Project object */; }
`,
};

const prebuild = async (config: ExportedConfig) => {
  const { withAndroidIntentFilters } = AndroidConfig.IntentFilters;
  const all = withAndroidIntentFilters(
    IOSConfig.Entitlements.withAssociatedDomains(config) as ExportedConfig,
  );
  await compileModsAsync(all as ExportedConfig, { projectRoot: folder, platforms: ['ios', 'android'] });
  const [manifest, entitlements] = Object.keys(files).map((file) =>
    readFileSync(path.join(folder, file), 'utf8'),
  );
  return { manifest, entitlements };
};

const golden = (file: string) => readFileSync(path.join(import.meta.dirname, 'expo-golden', file), 'utf8');

const app: ExportedConfig = {
  name: 'Shop',
  slug: 'shop',
  ios: { bundleIdentifier: 'com.example.shop', associatedDomains: ['webcredentials:example.com'] },
  android: {
    package: 'com.example.shop',
    intentFilters: [{ action: 'VIEW', data: { scheme: 'shop' }, category: ['DEFAULT'] }],
  },
};

test('native projects gain the settings that open the app, keep the rest, and stay the same the next time', async () => {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  const settings = { hosts: ['go.example.com', 'Short.example'], pathPrefix: '/acme/' };
  const once = withDynamicLinks(app, settings);
  const written = await prebuild({ ...once });
  expect(written).toEqual({
    manifest: golden('AndroidManifest.xml'),
    entitlements: golden('Shop.entitlements'),
  });
  expect(withDynamicLinks(once, settings)).toEqual(once);
  expect(await prebuild(withDynamicLinks(once, settings))).toEqual(written);
});

test('without a prefix, Android opens each address of the hosts', () => {
  const { android } = withDynamicLinks({} as ExportedConfig, { hosts: ['go.example.com'] });
  expect(android?.intentFilters?.[0]?.data).toEqual([
    { scheme: 'https', host: 'go.example.com', pathPrefix: '/' },
  ]);
});

test('a folder of a host is its prefix on Android, and addresses are read as hosts', () => {
  const hosts = ['https://go.example.com/', 'Short.example/acme', 'short.example/acme'];
  const { ios, android } = withDynamicLinks({} as ExportedConfig, { hosts });
  expect(ios?.associatedDomains).toEqual(['applinks:go.example.com', 'applinks:short.example']);
  expect(android?.intentFilters?.map(({ data }) => data)).toEqual([
    [{ scheme: 'https', host: 'go.example.com', pathPrefix: '/' }],
    [{ scheme: 'https', host: 'short.example', pathPrefix: '/acme/' }],
  ]);
});

test.each([
  [undefined, 'needs {"hosts": ["go.example.com"]}'],
  [{ hosts: [] }, 'needs {"hosts": ["go.example.com"]}'],
  [{ hosts: ['go.example.com/a/b'] }, 'hosts: "go.example.com/a/b" isn\'t a host such as'],
  [{ hosts: ['localhost:8788'] }, 'hosts: "localhost:8788" isn\'t a host name'],
  [{ hosts: ['go.example.com'], pathPrefix: 'acme' }, 'pathPrefix: "acme" doesn\'t begin with a slash'],
])('%j is refused', (settings, message) => {
  const act = () => withDynamicLinks(app, settings as never);
  expect(act).toThrow(message);
  expect(act).toThrow(TypeError);
});
