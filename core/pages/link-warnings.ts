import { notInIdentifiers } from '../base/identifier.ts';
import type { Apps } from '../short-urls/app-settings.ts';
import { appOf, hasApp } from '../short-urls/app-settings.ts';
import type { Association } from '../short-urls/association.ts';
import { previewOf, type RoutedLink, savedAppId } from '../short-urls/routing.ts';
import { debugWords } from './debug-words.ts';
import { fill } from './words.ts';

const { warnings } = debugWords;
const platforms = ['android', 'ios'] as const;

/** Bytes of a payload up to which reading the link takes one read unit of 4 KB; the rest of the link takes some 400. */
const onePage = 3700;

/** Likely mistakes in a link, in words. */
export const linkWarnings = (
  link: RoutedLink,
  apps: Apps,
  association: Pick<Association, 'ios' | 'android'> | undefined,
): string[] => {
  const { payload } = link;
  const ios = appOf('ios', payload, apps);
  const preview = previewOf(link);
  return [
    ...platforms
      .filter((platform) => savedAppId(link, platform) !== undefined && !apps[platform])
      .map((platform) => fill(warnings.appDeleted[platform], { app: savedAppId(link, platform) ?? '' })),
    ...platforms
      .filter((platform) => hasApp(platform, payload, apps) && !association?.[platform]?.length)
      .map((platform) => warnings.noAssociation[platform]),
    ...platforms
      .filter((platform) => notInIdentifiers.test(appOf(platform, payload, apps).identifier ?? ''))
      .map((platform) => warnings.noIdentifier[platform]),
    ...(hasApp('ios', payload, apps) && !ios.storeId && !ios.storeFallback ? [warnings.noIosStore] : []),
    ...(preview && !preview.image ? [warnings.noSocialImage] : []),
    ...(Buffer.byteLength(JSON.stringify(payload)) > onePage ? [warnings.large] : []),
  ];
};
