import { debugParameter } from '../hosts/short-address.ts';

/** The apps that may open a project's short URLs. */
export interface Association {
  readonly project: string;
  /** App ids: team id, dot, bundle id. */
  readonly ios: readonly string[];
  /** Packages with SHA-256 fingerprints of their signing certificates, as 32 pairs of hexadecimal digits. */
  readonly android: readonly { readonly package: string; readonly fingerprints: readonly string[] }[];
  /** Set if the shared host's file had no room for the project. */
  readonly ownHostsOnly?: true;
}

/** A project's apps on a host, and the part of the host that they may open. */
export interface HostShare extends Pick<Association, 'ios' | 'android'> {
  /** The project's folder, if it has one on this host. */
  readonly folder?: string;
  /** Addresses outside of the folder: `everything` on a custom host; without a folder (`top`) or `nothing` on a shared one. */
  readonly beyond: 'everything' | 'top' | 'nothing';
}

/** Rules for both files, in order: the first match decides. */
const rules = ({ folder, beyond }: HostShare): { readonly path: string; readonly exclude?: true }[] => [
  // QR codes open in the browser even if the app is installed.
  ...(folder ? [{ path: `/${folder}/*/qr.*`, exclude: true } as const, { path: `/${folder}/*` }] : []),
  ...(beyond === 'top' ? [{ path: '/*/*', exclude: true } as const, { path: '/*' }] : []),
  ...(beyond === 'everything' ? [{ path: '*/qr.*', exclude: true } as const, { path: '/*' }] : []),
];

const [debugName = '', debugValue = ''] = debugParameter.split('=');

const components = (share: HostShare) => [
  { '?': { [debugName]: debugValue }, exclude: true },
  ...rules(share).map(({ path, ...rule }) => ({ '/': path, ...rule })),
];

/** Paths for iOS before 13, which can't recognize debug pages and opens the app for them. */
const paths = (share: HostShare): string[] =>
  rules(share).map(({ path, exclude }) => (exclude ? `NOT ${path}` : path));

/** `/.well-known/apple-app-site-association`: developer.apple.com/documentation/xcode/supporting-associated-domains */
export const appleAssociation = (shares: readonly HostShare[]) => ({
  applinks: {
    // Always empty; iOS before 13 rejects a file without it.
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
 * `/.well-known/assetlinks.json`: developer.android.com/training/app-links/configure-assetlinks. Android before 15
 * ignores the rules: on a shared host, the app's manifest decides.
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

/** The fault of an iOS app's id as text; undefined if there is none. */
export const iosAppFault = (text: string): string | undefined =>
  iosAppId.test(text)
    ? undefined
    : `'${text}' is not an iOS app id: use the team id, a dot and the bundle id, such as ABCDE12345.com.example.app`;

export const androidPackageFault = (text: string): string | undefined =>
  androidPackage.test(text) && text.length <= 255
    ? undefined
    : `'${text}' is not an Android package name such as com.example.app`;

/** A fingerprint in Google's form, from text with or without colons; undefined if it is invalid. */
export const readFingerprint = (text: string): string | undefined => {
  const pairs = text.replaceAll(':', '').toUpperCase().match(/../g)?.join(':') ?? '';
  return text.replaceAll(':', '').length === 64 && fingerprint.test(pairs) ? pairs : undefined;
};
