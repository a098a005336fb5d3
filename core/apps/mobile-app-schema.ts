import * as z from 'zod';
import { limits } from '../base/limits.ts';
import { isObject, text } from '../base/schema.ts';
import { checkedSchema, shapeOf } from '../fields/field-schema.ts';
import { alsoNamed } from '../fields/other-names.ts';
import { appFields, appPlatforms, appSections, sectionSettings } from './app-fields.ts';
import { draftFaults, type MobileApp, type MobileAppChange, type MobileAppDraft } from './mobile-app.ts';

const name = text(limits.name).min(1);
const platform = z.enum(appPlatforms);
const settings = shapeOf(appFields, (field) => checkedSchema(field).nullish().describe(field.about));

/** What a link's payload calls the same things. */
const namesInLinks = [
  ...appSections.flatMap((section) =>
    sectionSettings(section.name).flatMap(([name, { saved }]) => (saved ? [[name, saved.as] as const] : [])),
  ),
  ['appName', 'name'] as const,
];

/** What other services call fields of apps. Which field is meant depends on the app's platform. */
const namesElsewhere = [
  ...['appId', 'store_id'].map((name) => [name, 'appStoreId'] as const),
  ['store_id', 'playStoreFallback'] as const,
  ...['appId', 'bundle', 'bundle_identifier'].map((name) => [name, 'packageName'] as const),
  ...['bundle', 'bundle_identifier'].map((name) => [name, 'bundleId'] as const),
];

const otherNames = [...namesInLinks, ...namesElsewhere];

/** A request to create an app, with the fields of its platform. */
export const mobileAppDraft: z.ZodType<MobileAppDraft, MobileAppDraft> = alsoNamed(
  z
    // The table of fields gives the shape; the types follow from the same table.
    .object({ platform, name, ...(settings as Record<never, z.ZodType>) })
    .superRefine(
      (draft, context) => {
        for (const { field, message } of draftFaults(draft)) {
          context.addIssue({ code: 'custom', path: [field], message });
        }
      },
      { when: isObject },
    )
    .meta({ id: 'MobileAppDraft' }),
  otherNames,
);

/** An app's platform decides which fields it can have, and only the stored app knows it. */
export const mobileAppChange: z.ZodType<MobileAppChange, MobileAppChange> = alsoNamed(
  z
    .object({ name: name.optional(), ...(settings as Record<never, z.ZodType>) })
    .meta({ id: 'MobileAppChange' }),
  otherNames,
);

/** Null where it was not given, or belongs to the other platform. */
const shown = shapeOf(appFields, () => z.string().nullable());

export const mobileAppResult = z
  .object({
    id: z.string(),
    name: z.string(),
    platform,
    ...(shown as Record<never, z.ZodType>),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'MobileApp' }) as unknown as z.ZodType<MobileApp, MobileApp>;
