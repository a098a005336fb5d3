import * as z from 'zod';
import { limits } from './limits.ts';
import { draftFaults, platformFields } from './mobile-app.ts';
import { isObject, text } from './schema.ts';
import { webAddress } from './web-address-schema.ts';

const name = text(limits.name).min(1);
const identifier = text(limits.identifier).min(1);
const version = text(limits.version);

export const appStoreId = z
  .string()
  .regex(/^\d{1,20}$/, 'must be a numeric App Store id of at most 20 digits');

/** An iOS app has the former, an Android app the latter; the first of each tells it from all other apps. */
const settings = {
  bundleId: identifier.nullish(),
  appStoreFallback: webAddress.nullish(),
  appStoreId: appStoreId.nullish(),
  iosMinVersion: version.nullish(),
  packageName: identifier.nullish(),
  playStoreFallback: webAddress.nullish(),
  androidMinVersion: version.nullish(),
};

/** What a request to create an app carries: the fields of its own platform. */
export const mobileAppDraft = z
  .object({ platform: z.enum(['IOS', 'ANDROID']), name, ...settings })
  .superRefine(
    (draft, context) => {
      for (const { field, message } of draftFaults(draft)) {
        context.addIssue({ code: 'custom', path: [field], message });
      }
    },
    { when: isObject },
  )
  .meta({
    oneOf: Object.entries(platformFields).map(([platform, [identifier]]) => ({
      properties: { platform: { const: platform }, [identifier]: { type: 'string' } },
      required: [identifier],
    })),
  });

/** Which of the fields an app can take depends on its platform, which only the stored app tells. */
export const mobileAppChange = z.object({ name: name.optional(), ...settings });

const shown = z.string().nullable();

export const mobileAppResult = z.object({
  id: z.string(),
  name: z.string(),
  platform: z.enum(['IOS', 'ANDROID']),
  bundleId: shown,
  appStoreFallback: shown,
  appStoreId: shown,
  iosMinVersion: shown,
  packageName: shown,
  playStoreFallback: shown,
  androidMinVersion: shown,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
