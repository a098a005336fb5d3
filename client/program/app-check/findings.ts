/** A line of a file: relative to the project's folder, or an association file's address. */
export interface Place {
  readonly file: string;
  /** Null if no line is at fault. */
  readonly line: number | null;
}

/** What to write, by the names of findings. Names are stable; docs/apps.md has a section for each. */
const remedies = {
  'android-no-filter':
    'Give MainActivity an intent filter with android:autoVerify="true", the action VIEW, the categories DEFAULT and BROWSABLE, and <data android:scheme="https" android:host="HOST" />.',
  'android-no-autoverify': 'Add android:autoVerify="true" to the intent filter.',
  'android-no-https': 'Write android:scheme="https".',
  'android-host': 'Write android:host="HOST", in lower case, without scheme, path and wildcard.',
  'android-mixed-hosts': 'Give HOST an intent filter of its own.',
  'android-mixed-schemes': 'Move the other scheme to an intent filter of its own, without autoVerify.',
  'android-path': 'Write android:pathPrefix="PREFIX".',
  'android-not-exported': 'Add android:exported="true" to the activity.',
  'android-no-browsable':
    'Add the categories android.intent.category.DEFAULT and android.intent.category.BROWSABLE.',
  'android-activity': 'Move the intent filter to MainActivity.',
  'android-package':
    "Declare the release's package: dls association set --android PACKAGE --sha256 FINGERPRINT.",
  'android-debug-fingerprint':
    'Add the fingerprint of the key that signs your releases: dls association set --android PACKAGE --sha256 FINGERPRINT.',
  'ios-no-entitlement': 'In Xcode, under Signing & Capabilities, add Associated Domains with applinks:HOST.',
  'ios-entitlement-unused': 'In Xcode, set Code Signing Entitlements (CODE_SIGN_ENTITLEMENTS) to this file.',
  'ios-domain-form': 'Write applinks:HOST, without https://, path and spaces.',
  'ios-domain-www': 'Write applinks:HOST.',
  'ios-developer-mode': 'Write applinks:HOST without the mode.',
  'ios-bundle': 'Declare the app: dls association set --ios TEAM.BUNDLE.',
  'ios-team': 'Declare the app with this team: dls association set --ios TEAM.BUNDLE.',
  'expo-no-plugin': 'Add ["dynamic-link-client/expo", {"hosts": ["HOST"]}] to plugins.',
  'expo-dynamic-config': 'Run npx expo config --json > expo.json, and add --expo-config expo.json.',
  'association-missing': 'Declare the app by dls association set, and check that HOST serves short URLs.',
  'association-redirect': 'Serve the file at this address, without a redirect.',
  'association-type': 'Serve the file with content-type: application/json.',
  'association-json': 'Serve valid JSON in UTF-8.',
  'association-size': "iPhones don't read it: use a custom host.",
  'association-path': 'Add --path-prefix with the folder of your project, or correct the rules in the file.',
  unreadable: 'Correct the file, and run the check again.',
} as const;

export type FindingName = keyof typeof remedies;
export const findingNames = Object.keys(remedies);

export interface Finding extends Place {
  readonly name: FindingName;
  readonly finding: string;
}

export const found = (name: FindingName, { file, line }: Place, finding: string): Finding => ({
  name,
  file,
  line,
  finding,
});

/** What the app must be set up for. */
export interface Wanted {
  /** The host's name without a port, as projects write it. */
  readonly host: string;
  /** The name with the port of a loopback address. */
  readonly authority: string;
  /** Begins and ends with a slash. */
  readonly prefix: string;
}

export type Advice = Finding & { readonly remedy: string };

const order = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

/** Sorts findings, drops repeated ones, and adds what to write. */
export const withRemedies = (findings: readonly Finding[], { host, prefix }: Wanted): Advice[] =>
  [...new Map(findings.map((one) => [`${one.file}:${one.line}:${one.name}`, one])).values()]
    .map((one) => {
      const remedy = remedies[one.name].replaceAll('HOST', host).replaceAll('PREFIX', prefix);
      return { ...one, remedy: `${remedy} See docs/apps.md#${one.name}` };
    })
    .sort((a, b) => order(a.file, b.file) || order(a.line ?? 0, b.line ?? 0) || order(a.name, b.name));

/** The findings of the app that is nearest to being right: one right target is enough. */
export const fewest = (findings: readonly (readonly Finding[])[]): readonly Finding[] =>
  findings.reduce((best, one) => (one.length < best.length ? one : best), findings[0] ?? []);
