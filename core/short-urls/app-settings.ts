import { effectiveSettings, type SavedSettings } from '../links/payload.ts';
import type { LinkPayload } from '../links/payload-fields.ts';

/** The saved apps of a link that exist. */
export interface Apps {
  readonly ios?: SavedApp<'ios'> | undefined;
  readonly android?: SavedApp<'android'> | undefined;
}

type SavedApp<Name extends 'ios' | 'android'> = Partial<SavedSettings<Name>> & { readonly name?: string };

/** A link's app on one platform. Unset and empty values are undefined. */
export interface AppSettings {
  /** What the owner calls the app; only saved apps have a name. */
  readonly name?: string | undefined;
  /** The package or bundle id. */
  readonly identifier?: string | undefined;
  readonly storeId?: string | undefined;
  readonly storeFallback?: string | undefined;
  readonly minVersion?: string | undefined;
}

const set = (value: string | null | undefined): string | undefined => value || undefined;

const settingsOf = {
  ios: (payload: LinkPayload, { ios: app }: Apps): AppSettings => {
    const settings = effectiveSettings('ios', payload, app);
    return {
      name: set(app?.name),
      identifier: set(settings.bundleId),
      storeId: set(settings.app_store_id),
      storeFallback: set(settings.app_store_fallback),
      minVersion: set(settings.min_version),
    };
  },
  android: (payload: LinkPayload, { android: app }: Apps): AppSettings => {
    const settings = effectiveSettings('android', payload, app);
    return {
      name: set(app?.name),
      identifier: set(settings.package),
      // Google Play knows apps by their package.
      storeId: set(settings.package),
      storeFallback: set(settings.store_fallback),
      minVersion: set(settings.min_version),
    };
  },
};

export const appOf = (platform: 'ios' | 'android', payload: LinkPayload, apps: Apps): AppSettings =>
  settingsOf[platform](payload, apps);

/** Whether a link names an app of this platform, or the way to one. */
export const hasApp = (platform: 'ios' | 'android', payload: LinkPayload, apps: Apps): boolean => {
  const { identifier, storeId, storeFallback } = appOf(platform, payload, apps);
  return apps[platform] !== undefined || Boolean(identifier ?? storeId ?? storeFallback);
};
