import { notInIdentifiers } from '../base/identifier.ts';
import type { Apps } from '../short-urls/app-settings.ts';
import { appOf, hasApp } from '../short-urls/app-settings.ts';
import type { Association } from '../short-urls/association.ts';
import { previewOf, type RoutedLink, savedAppId } from '../short-urls/routing.ts';

const words = {
  android: {
    noAssociation:
      'Android phones can’t open the app from this link: no Android app is associated with the project’s short URLs.',
    noIdentifier:
      'The Android package is no package name such as com.example.app, so Google Play finds no app by it. The address of a store goes into the store fallback.',
  },
  ios: {
    noAssociation:
      'iPhones can’t open the app from this link: no iOS app is associated with the project’s short URLs.',
    noIdentifier:
      'The bundle id is none such as com.example.app. The address of a store goes into the store fallback.',
  },
};
const systems = { android: 'Android', ios: 'iOS' };
const platforms = ['android', 'ios'] as const;

/** The largest payload, in bytes, that lets a link be read with one unit of 4 KB; its other attributes take about 400. */
const onePage = 3700;

/** Warnings about likely mistakes in a link. */
export const linkWarnings = (
  link: RoutedLink,
  apps: Apps,
  association: Pick<Association, 'ios' | 'android'> | 'unknown' | undefined,
): string[] => {
  const { payload } = link;
  const ios = appOf('ios', payload, apps);
  const preview = previewOf(link);
  return [
    ...platforms
      .filter((platform) => savedAppId(link, platform) !== undefined && !apps[platform])
      .map((platform) => {
        const [system, id] = [systems[platform], savedAppId(link, platform)];
        return `The saved ${system} app ${id} was deleted. The link’s own ${system} settings count instead.`;
      }),
    ...platforms
      .filter(
        (platform) =>
          hasApp(platform, payload, apps) && association !== 'unknown' && !association?.[platform].length,
      )
      .map((platform) => words[platform].noAssociation),
    ...platforms
      .filter((platform) => notInIdentifiers.test(appOf(platform, payload, apps).identifier ?? ''))
      .map((platform) => words[platform].noIdentifier),
    ...(hasApp('ios', payload, apps) && !ios.storeId && !ios.storeFallback
      ? ['The iOS app has no App Store id and no store fallback, so iPhones go to the destination.']
      : []),
    ...(preview && !preview.image
      ? ['The social preview has no picture. Most networks show such a link smaller.']
      : []),
    ...(new TextEncoder().encode(JSON.stringify(payload)).length > onePage
      ? [
          'The link takes more than 4 KB, mostly by its rules, so every visit reads more: it serves fewer visitors a second.',
        ]
      : []),
  ];
};
