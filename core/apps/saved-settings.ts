import { type AppFieldName, type AppSectionName, sectionSettings } from './app-fields.ts';
import type { SavedSettings } from './mobile-app.ts';

/** A section of a link's payload. */
type Settings = Readonly<Record<string, string | undefined>>;

/** Settings of a link under the names of a saved app; null where they are not set. */
export const toSavedSettings = (section: AppSectionName, settings: Settings): Partial<SavedSettings> =>
  Object.fromEntries(
    sectionSettings(section).flatMap(([name, { saved }]) =>
      saved ? [[saved.as, settings[name] ?? null]] : [],
    ),
  ) as { [Field in AppFieldName]?: string | null };

/**
 * The effective settings for a platform, under the payload's names. A saved app replaces all that apps keep, also
 * what it lacks itself.
 */
export const effectiveSettings = (
  section: AppSectionName,
  own: Settings = {},
  app: Partial<SavedSettings> | undefined,
): Settings =>
  app
    ? Object.fromEntries(
        sectionSettings(section).map(([name, { saved }]) => [
          name,
          saved ? (app[saved.as] ?? undefined) : own[name],
        ]),
      )
    : own;
