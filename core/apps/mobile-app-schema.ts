import * as z from 'zod';
import { limits } from '../limits.ts';
import { isObject, text } from '../schema.ts';
import { webAddress } from '../short-urls/web-address-schema.ts';
import { draftFaults, platformFields } from './mobile-app.ts';

const name = text(limits.name).min(1);
const identifier = text(limits.identifier).min(1);
const version = text(limits.version);

export const appStoreId = z
  .string()
  .regex(/^\d{1,20}$/, 'must be a numeric App Store id of at most 20 digits');

/** An iOS app has the former, an Android app the latter; the first of each tells it from all other apps. */
const settings = {
  bundleId: identifier.nullish().describe('iOS bundle identifier; an iOS app must have it.'),
  appStoreFallback: webAddress.nullish().describe('iOS store URL.'),
  appStoreId: appStoreId.nullish().describe('Numeric id in the App Store.'),
  iosMinVersion: version.nullish().describe('Minimum iOS version, such as 14.0.'),
  packageName: identifier.nullish().describe('Android package name; an Android app must have it.'),
  playStoreFallback: webAddress.nullish().describe('Android store URL.'),
  androidMinVersion: version.nullish().describe('Minimum Android API level.'),
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
    id: 'MobileAppDraft',
    oneOf: Object.entries(platformFields).map(([platform, [identifier]]) => ({
      properties: { platform: { const: platform }, [identifier]: { type: 'string' } },
      required: [identifier],
    })),
  });

/** Which of the fields an app can take depends on its platform, which only the stored app tells. */
export const mobileAppChange = z
  .object({ name: name.optional(), ...settings })
  .meta({ id: 'MobileAppChange' });

/** Null where it was not given, or belongs to the other platform. */
const shown = z.string().nullable();

export const mobileAppResult = z
  .object({
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
  })
  .meta({ id: 'MobileApp' });
