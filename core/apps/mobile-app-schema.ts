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

/** The payload's names for fields of apps. */
const namesInLinks = [
  ...appSections.flatMap((section) =>
    sectionSettings(section.name).flatMap(([name, { saved }]) => (saved ? [[name, saved.as] as const] : [])),
  ),
  ['appName', 'name'] as const,
];

/** Other services' names for fields of apps. Their meaning may depend on the platform. */
const namesElsewhere = [
  ...['appId', 'store_id'].map((name) => [name, 'appStoreId'] as const),
  ['store_id', 'playStoreFallback'] as const,
  ...['appId', 'bundle', 'bundle_identifier'].map((name) => [name, 'packageName'] as const),
  ...['bundle', 'bundle_identifier'].map((name) => [name, 'bundleId'] as const),
];

const otherNames = [...namesInLinks, ...namesElsewhere];

/** A request to create an app. */
export const mobileAppDraft: z.ZodType<MobileAppDraft, MobileAppDraft> = alsoNamed(
  z
    // The shape and the types follow from the same table of fields.
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

/** A request to change an app. Fields of the other platform are checked later, because only the stored app has the platform. */
export const mobileAppChange: z.ZodType<MobileAppChange, MobileAppChange> = alsoNamed(
  z
    .object({ name: name.optional(), ...(settings as Record<never, z.ZodType>) })
    .meta({ id: 'MobileAppChange' }),
  otherNames,
);

/** Fields in responses; null if unset or for the other platform. */
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
