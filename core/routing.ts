import type { LinkPayload } from './link.ts';
import type { Platform } from './visitor.ts';

const playStore = 'https://play.google.com/store/apps/details?id=';
const appStore = 'https://apps.apple.com/app/id';

/** Where a visitor of a live link goes. Only http and https addresses leave; anything else is no destination. */
export const destination = (payload: LinkPayload, platform: Platform): string | undefined => {
  const { android, ios } = payload;
  const byPlatform = {
    android: android?.store_fallback ?? (android?.package && playStore + encodeURIComponent(android.package)),
    ios: ios?.app_store_fallback ?? (ios?.app_store_id && appStore + encodeURIComponent(ios.app_store_id)),
    web: payload.desktop_fallback,
  };
  const url = URL.parse(byPlatform[platform] || payload.link);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
};
