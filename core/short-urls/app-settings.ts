import { type AppRole, type AppSectionName, sectionSettings } from '../apps/app-fields.ts';
import type { SavedSettings } from '../apps/mobile-app.ts';
import { effectiveSettings } from '../apps/saved-settings.ts';
import type { LinkPayload } from '../links/payload-fields.ts';

type Payload = Pick<LinkPayload, AppSectionName>;

/** A link's saved apps, if they exist. */
export type Apps = {
  readonly [Name in AppSectionName]?: (Partial<SavedSettings> & { readonly name?: string }) | undefined;
};

/** A link's app on one platform, by the roles of its settings. Unset and empty values are undefined. */
export type PlatformApp = { readonly [Role in AppRole]?: string | undefined } & {
  /** The app's name; only saved apps have one. */
  readonly name?: string | undefined;
};

export const appOf = (platform: AppSectionName, payload: Payload, apps: Apps): PlatformApp => {
  const app = apps[platform];
  const settings = effectiveSettings(platform, payload[platform], app);
  const found: { [Role in AppRole]?: string | undefined } = {};
  for (const [name, { role }] of sectionSettings(platform))
    if (role) found[role] = settings[name] || undefined;
  // Google Play identifies apps by their package.
  if (platform === 'android') found.storeId = found.identifier;
  return { ...found, name: app?.name || undefined };
};

/** Whether a link names an app of this platform, or a store fallback. */
export const hasApp = (platform: AppSectionName, payload: Payload, apps: Apps): boolean => {
  const { identifier, storeId, storeFallback } = appOf(platform, payload, apps);
  return apps[platform] !== undefined || Boolean(identifier ?? storeId ?? storeFallback);
};
