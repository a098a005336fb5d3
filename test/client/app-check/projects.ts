import {
  androidAssociation,
  appleAssociation,
  type HostShare,
} from '../../../core/short-urls/association.ts';

/* Sound projects of each kind, for go.example.com, in their least form. */

export type Files = Readonly<Record<string, string>>;

export const fingerprint = Array.from({ length: 32 }, (_, i) => (i + 100).toString(16).toUpperCase()).join(
  ':',
);

/** Both files as the service serves them. */
export const associationOf = (share: Partial<HostShare> = {}): Files => {
  const shares: HostShare[] = [
    {
      ios: ['ABCDE12345.com.example.shop'],
      android: [{ package: 'com.example.shop', fingerprints: [fingerprint] }],
      beyond: 'everything',
      ...share,
    },
  ];
  return {
    'apple-app-site-association': JSON.stringify(appleAssociation(shares), null, 2),
    'assetlinks.json': JSON.stringify(androidAssociation(shares), null, 2),
  };
};

const manifest = `<?xml version="1.0" encoding="utf-8"?>
<manifest xmlns:android="http://schemas.android.com/apk/res/android">
    <uses-permission android:name="android.permission.INTERNET" />
    <application android:label="Shop" android:name=".MainApplication">
        <activity
            android:name=".MainActivity"
            android:launchMode="singleTask"
            android:exported="true">
            <intent-filter>
                <action android:name="android.intent.action.MAIN" />
                <category android:name="android.intent.category.LAUNCHER" />
            </intent-filter>
            <intent-filter>
                <action android:name="android.intent.action.VIEW" />
                <category android:name="android.intent.category.DEFAULT" />
                <category android:name="android.intent.category.BROWSABLE" />
                <data android:scheme="com.example.shop" />
            </intent-filter>
            <intent-filter android:autoVerify="true">
                <action android:name="android.intent.action.VIEW" />
                <category android:name="android.intent.category.DEFAULT" />
                <category android:name="android.intent.category.BROWSABLE" />
                <data android:scheme="https" />
                <data android:host="go.example.com" />
            </intent-filter>
        </activity>
        <activity android:name=".AboutActivity" android:exported="false" />
    </application>
</manifest>
`;

const gradle = `plugins {
    id 'com.android.application'
}
android {
    namespace "com.example.code" // applicationId "com.example.comment"
    defaultConfig {
        applicationId "com.example.shop"
        minSdkVersion 24
    }
    buildTypes {
        debug { applicationIdSuffix ".debug" }
        release { minifyEnabled true }
    }
}
`;

const entitlements = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
    <key>aps-environment</key>
    <string>production</string>
    <key>com.apple.developer.associated-domains</key>
    <array>
        <string>webcredentials:example.com</string>
        <string>applinks:go.example.com</string>
    </array>
</dict>
</plist>
`;

const info = `<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0">
<dict>
    <key>CFBundleIdentifier</key>
    <string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>
</dict>
</plist>
`;

/** An Xcode project whose app is in a folder of this name. */
const xcode = (app: string) => `// !$*UTF8*$!
{
    archiveVersion = 1;
    objects = {
/* Begin PBXNativeTarget section */
        A1 /* ${app} */ = {
            isa = PBXNativeTarget;
            buildConfigurationList = A2 /* Build configuration list for "${app}" */;
            name = ${app};
            productType = "com.apple.product-type.application";
        };
        A6 /* Tests */ = {
            isa = PBXNativeTarget;
            buildConfigurationList = A7;
            productType = "com.apple.product-type.bundle.unit-test";
        };
/* End PBXNativeTarget section */
        A3 /* Project object */ = { isa = PBXProject; buildConfigurationList = A8; targets = ( A1, A6, ); };
        A4 /* Debug */ = {
            isa = XCBuildConfiguration;
            buildSettings = {
                CODE_SIGN_ENTITLEMENTS = ${app}/${app}.entitlements;
                PRODUCT_BUNDLE_IDENTIFIER = com.example.shop.debug;
            };
            name = Debug;
        };
        A5 /* Release */ = {
            isa = XCBuildConfiguration;
            buildSettings = {
                CODE_SIGN_ENTITLEMENTS = "${app}/${app}.entitlements";
                INFOPLIST_FILE = "$(SRCROOT)/${app}/Info.plist";
                OTHER_LDFLAGS = ( "$(inherited)", "-ObjC", );
                PRODUCT_BUNDLE_IDENTIFIER = com.example.shop;
            };
            name = Release;
        };
        A9 /* Release */ = {
            isa = XCBuildConfiguration;
            buildSettings = { DEVELOPMENT_TEAM = ABCDE12345; SDKROOT = iphoneos; };
            name = Release;
        };
        A2 = { isa = XCConfigurationList; buildConfigurations = ( A4 /* Debug */, A5 /* Release */, ); };
        A7 = { isa = XCConfigurationList; buildConfigurations = ( ); };
        A8 = { isa = XCConfigurationList; buildConfigurations = ( A9, ); };
    };
    rootObject = A3 /* Project object */;
}
`;

const iosFiles = (folder: string, app: string): Files => ({
  [`${folder}${app}/${app}.entitlements`]: entitlements,
  [`${folder}${app}/Info.plist`]: info,
  [`${folder}${app}.xcodeproj/project.pbxproj`]: xcode(app),
});

/** Macs have a project of their own. */
const macos = xcode('Runner').replaceAll('iphoneos', 'macosx');

const expo = `{
  "expo": {
    // Expo permits comments.
    "name": "Shop",
    "ios": {
      "bundleIdentifier": "com.example.shop",
      "appleTeamId": "ABCDE12345"
    },
    "android": { "package": "com.example.shop" },
    "plugins": [
      "expo-font",
      ["dynamic-link-client/expo", { "hosts": ["go.example.com"] }]
    ]
  }
}
`;

const expoByHand = `{
  "name": "Shop",
  "ios": {
    "bundleIdentifier": "com.example.shop",
    "associatedDomains": ["applinks:go.example.com"]
  },
  "android": {
    "package": "com.example.shop",
    "intentFilters": [
      {
        "action": "VIEW",
        "autoVerify": true,
        "data": [{ "scheme": "https", "host": "go.example.com" }],
        "category": ["BROWSABLE", "DEFAULT"]
      }
    ]
  }
}
`;

const kotlinGradle = `plugins {
    alias(libs.plugins.android.application)
}
android {
    namespace = "com.example.code"
    defaultConfig { applicationId = "com.example" }
    flavorDimensions += listOf("tier", "shop")
    productFlavors {
        create("free") {
            dimension = "tier"
            applicationIdSuffix = ".free"
        }
        create("paid") { dimension = "tier" }
        create("one") {
            dimension = "shop"
            applicationIdSuffix = ".shop"
        }
    }
}
`;

export const projects = {
  gradle: {
    'app/src/main/AndroidManifest.xml': manifest,
    'app/build.gradle': gradle,
    'library/src/main/AndroidManifest.xml': '<manifest><application /></manifest>',
    'library/build.gradle': 'plugins { id "com.android.library" }',
  },
  flavours: { 'app/src/main/AndroidManifest.xml': manifest, 'app/build.gradle.kts': kotlinGradle },
  xcode: iosFiles('', 'Shop'),
  reactNative: {
    'package.json': '{"dependencies": {"react-native": "0.88.1"}}',
    'app.json': '{"name": "Shop", "displayName": "Shop"}',
    'android/app/src/main/AndroidManifest.xml': manifest,
    'android/app/src/debug/AndroidManifest.xml': '<manifest><application /></manifest>',
    'android/app/build.gradle': gradle.replace(
      "plugins {\n    id 'com.android.application'\n}",
      'apply plugin: "com.android.application"',
    ),
    'node_modules/other/android/src/main/AndroidManifest.xml': '<broken',
    ...iosFiles('ios/', 'Shop'),
  },
  expo: { 'app.json': expo, 'package.json': '{"dependencies": {"expo": "^56"}}' },
  expoByHand: { 'app.config.json': expoByHand, 'package.json': '{"dependencies": {"expo": "^56"}}' },
  flutter: {
    'pubspec.yaml': 'name: shop\ndependencies:\n  flutter:\n    sdk: flutter\n  app_links: ^6.0.0\n',
    'android/app/src/main/AndroidManifest.xml': manifest,
    'android/app/src/profile/AndroidManifest.xml': '<manifest />',
    'android/app/build.gradle.kts': gradle.replace(
      "id 'com.android.application'",
      'id("com.android.application")',
    ),
    ...iosFiles('ios/', 'Runner'),
    'macos/Runner.xcodeproj/project.pbxproj': macos,
    'macos/Runner/Runner.entitlements': entitlements.replaceAll('go.example.com', 'example.com'),
  },
  capacitor: {
    'capacitor.config.json': '{"appId": "com.example.shop"}',
    'android/app/src/main/AndroidManifest.xml': manifest,
    'android/app/build.gradle': gradle,
    'android/capacitor-cordova-android-plugins/src/main/AndroidManifest.xml':
      '<manifest><application /></manifest>',
    ...iosFiles('ios/App/', 'App'),
    'src/app/app.config.ts': 'export const appConfig = {};',
  },
} satisfies Record<string, Files>;

export type Kind = keyof typeof projects;
