import { type AppFieldName, type AppSectionName, sectionSettings } from './app-fields.ts';
import type { SavedSettings } from './mobile-app.ts';

/** A section of a link's payload. */
type Settings = Readonly<Record<string, string | undefined>>;

/** A link's settings under the names of a saved app; null if unset. */
export const toSavedSettings = (section: AppSectionName, settings: Settings): Partial<SavedSettings> =>
  Object.fromEntries(
    sectionSettings(section).flatMap(([name, { saved }]) =>
      saved ? [[saved.as, settings[name] ?? null]] : [],
    ),
  ) as { [Field in AppFieldName]?: string | null };

/**
 * The effective settings for a platform, under the payload's names. A saved app replaces all settings that apps have,
 * including those that it lacks.
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
