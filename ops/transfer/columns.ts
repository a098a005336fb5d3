import type { LinkPayload } from '../../core/links/payload-fields.ts';
import type { ShownLink } from '../links.ts';

/** The source of a column: a link as its owner sees it, with its saved apps' settings in the payload. */
type FlatLink = Omit<ShownLink, 'payload'> & { readonly payload: LinkPayload };

export interface Column {
  readonly name: string;
  /** The field that import reads it to; what has none is shown only. */
  readonly field?: string;
  readonly show: (link: FlatLink) => string | number | undefined;
}

/** The columns of our own CSV, in order. Programs rely on this header, so it never changes. */
export const columns: readonly Column[] = [
  { name: 'code', show: ({ code }) => code },
  { name: 'shortUrl', show: ({ shortUrl }) => shortUrl },
  { name: 'link', field: 'payload.link', show: ({ payload }) => payload.link },
  { name: 'name', field: 'name', show: ({ name }) => name },
  { name: 'status', field: 'status', show: ({ status }) => status },
  { name: 'createdAt', field: 'createdAt', show: ({ createdAt }) => createdAt },
  { name: 'expiresAt', field: 'expiresAt', show: ({ expiresAt }) => expiresAt },
  { name: 'clicks', show: ({ clickCount }) => clickCount },
  { name: 'uniqueClicks', show: ({ analytics }) => analytics.uniqueClicks },
  { name: 'clicksIos', show: ({ analytics }) => analytics.clicksByPlatform.ios },
  { name: 'clicksAndroid', show: ({ analytics }) => analytics.clicksByPlatform.android },
  { name: 'clicksWeb', show: ({ analytics }) => analytics.clicksByPlatform.web },
  {
    name: 'desktopFallback',
    field: 'payload.desktop_fallback',
    show: ({ payload }) => payload.desktop_fallback,
  },
  {
    name: 'androidPackage',
    field: 'payload.android.package',
    show: ({ payload }) => payload.android?.package,
  },
  {
    name: 'androidStoreFallback',
    field: 'payload.android.store_fallback',
    show: ({ payload }) => payload.android?.store_fallback,
  },
  { name: 'iosBundleId', field: 'payload.ios.bundleId', show: ({ payload }) => payload.ios?.bundleId },
  {
    name: 'iosAppStoreId',
    field: 'payload.ios.app_store_id',
    show: ({ payload }) => payload.ios?.app_store_id,
  },
  {
    name: 'iosAppStoreFallback',
    field: 'payload.ios.app_store_fallback',
    show: ({ payload }) => payload.ios?.app_store_fallback,
  },
  { name: 'socialTitle', field: 'payload.social.title', show: ({ payload }) => payload.social?.title },
  {
    name: 'socialDescription',
    field: 'payload.social.description',
    show: ({ payload }) => payload.social?.description,
  },
  { name: 'socialImage', field: 'payload.social.image', show: ({ payload }) => payload.social?.image },
  ...(['source', 'medium', 'campaign', 'term', 'content'] as const).map(
    (part): Column => ({
      name: `utm${part.charAt(0).toUpperCase()}${part.slice(1)}`,
      field: `payload.campaign.utm_${part}`,
      show: ({ payload }) => payload.campaign?.[`utm_${part}`],
    }),
  ),
];

/** Columns that an import reads, too; an export says which of them its links would have needed. */
export const moreColumns: readonly Column[] = [
  {
    name: 'androidMinVersion',
    field: 'payload.android.min_version',
    show: ({ payload }) => payload.android?.min_version,
  },
  {
    name: 'iosMinVersion',
    field: 'payload.ios.min_version',
    show: ({ payload }) => payload.ios?.min_version,
  },
  { name: 'interstitial', field: 'payload.interstitial', show: ({ payload }) => payload.interstitial },
  { name: 'query', field: 'payload.query', show: ({ payload }) => payload.query },
];
