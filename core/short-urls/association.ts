import { debugParameter } from '../hosts/short-address.ts';

/** The apps that may open a project's short URLs. */
export interface Association {
  readonly project: string;
  /** App ids: the team's id, a dot, the bundle id. */
  readonly ios: readonly string[];
  /** With SHA-256 of the certificates that the app is signed with, as 32 pairs of hexadecimal digits. */
  readonly android: readonly { readonly package: string; readonly fingerprints: readonly string[] }[];
  /** Left out of the file of the shared host, which had no room. */
  readonly ownHostsOnly?: true;
}

/** The apps of a project on a host, and the part of the host that is theirs. */
export interface HostShare extends Pick<Association, 'ios' | 'android'> {
  /** The project's folder, where it has one on this host. */
  readonly folder?: string;
  /** What else: every path of a custom host, or on a shared one the addresses without a folder, or nothing. */
  readonly beyond: 'everything' | 'top' | 'nothing';
}

/** Both files go through such rules in order, and the first one that fits counts. */
const rules = ({ folder, beyond }: HostShare): { readonly path: string; readonly exclude?: true }[] => [
  // QR codes are for the browser, also where the app is installed.
  ...(folder ? [{ path: `/${folder}/*/qr.*`, exclude: true } as const, { path: `/${folder}/*` }] : []),
  ...(beyond === 'top' ? [{ path: '/*/*', exclude: true } as const, { path: '/*' }] : []),
  ...(beyond === 'everything' ? [{ path: '*/qr.*', exclude: true } as const, { path: '/*' }] : []),
];

const [debugName = '', debugValue = ''] = debugParameter.split('=');

const components = (share: HostShare) => [
  { '?': { [debugName]: debugValue }, exclude: true },
  ...rules(share).map(({ path, ...rule }) => ({ '/': path, ...rule })),
];

/** iOS before 13 reads paths only. It can't recognise a debug page, and opens the app there. */
const paths = (share: HostShare): string[] =>
  rules(share).map(({ path, exclude }) => (exclude ? `NOT ${path}` : path));

/** `/.well-known/apple-app-site-association`: developer.apple.com/documentation/xcode/supporting-associated-domains */
export const appleAssociation = (shares: readonly HostShare[]) => ({
  applinks: {
    // Always empty; systems before iOS 13 refuse a file without it.
    apps: [],
    details: shares.flatMap((share) =>
      share.ios.map((appID) => ({
        appID,
        paths: paths(share),
        appIDs: [appID],
        components: components(share),
      })),
    ),
  },
});

const handleUrls = 'delegate_permission/common.handle_all_urls';

/**
 * `/.well-known/assetlinks.json`: developer.android.com/training/app-links/configure-assetlinks. Systems before
 * Android 15 know no rules here: what such an app opens on a shared host is up to its manifest.
 */
export const androidAssociation = (shares: readonly HostShare[]) =>
  shares.flatMap((share) =>
    share.android.map((app) => ({
      relation: [handleUrls],
      target: {
        namespace: 'android_app',
        package_name: app.package,
        sha256_cert_fingerprints: app.fingerprints,
      },
      relation_extensions: {
        [handleUrls]: {
          dynamic_app_link_components: [...components(share), { '/': '*', exclude: true }],
        },
      },
    })),
  );

const iosAppId = /^[A-Z0-9]{10}\.[A-Za-z0-9.-]{1,155}$/;
const androidPackage = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/;
const fingerprint = /^[0-9A-F]{2}(?::[0-9A-F]{2}){31}$/;

/** The fault of an app's id or package, in plain words; undefined if there is none. */
export const iosAppFault = (text: string): string | undefined =>
  iosAppId.test(text)
    ? undefined
    : `'${text}' is not an iOS app id: use the team id, a dot and the bundle id, such as ABCDE12345.com.example.app`;

export const androidPackageFault = (text: string): string | undefined =>
  androidPackage.test(text) && text.length <= 255
    ? undefined
    : `'${text}' is not an Android package name such as com.example.app`;

/** A fingerprint as Google writes it, given with or without colons; nothing if it isn't one. */
export const readFingerprint = (text: string): string | undefined => {
  const pairs = text.replaceAll(':', '').toUpperCase().match(/../g)?.join(':') ?? '';
  return text.replaceAll(':', '').length === 64 && fingerprint.test(pairs) ? pairs : undefined;
};
