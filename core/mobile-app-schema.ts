import * as z from 'zod';
import { limits } from './limits.ts';
import { webAddress } from './web-address-schema.ts';

const name = z.string().min(1).max(limits.name);
const identifier = z.string().min(1).max(limits.identifier);
const version = z.string().max(limits.version);

export const appStoreId = z
  .string()
  .regex(/^\d{1,20}$/, 'must be a numeric App Store id of at most 20 digits');

const optionalSettings = {
  IOS: {
    appStoreFallback: webAddress.nullish(),
    appStoreId: appStoreId.nullish(),
    iosMinVersion: version.nullish(),
  },
  ANDROID: { playStoreFallback: webAddress.nullish(), androidMinVersion: version.nullish() },
};

const foreign = z.null('belongs to apps of the other platform').optional();

/** What a request to create an app carries: the fields of its own platform. */
export const mobileAppDraft = z.discriminatedUnion('platform', [
  z.object({
    platform: z.literal('IOS'),
    name,
    bundleId: identifier,
    ...optionalSettings.IOS,
    packageName: foreign,
    playStoreFallback: foreign,
    androidMinVersion: foreign,
  }),
  z.object({
    platform: z.literal('ANDROID'),
    name,
    packageName: identifier,
    ...optionalSettings.ANDROID,
    bundleId: foreign,
    appStoreFallback: foreign,
    appStoreId: foreign,
    iosMinVersion: foreign,
  }),
]);

/** Which of the fields an app can take depends on its platform, which only the stored app tells. */
export const mobileAppChange = z.object({
  name: name.optional(),
  bundleId: identifier.nullish(),
  packageName: identifier.nullish(),
  ...optionalSettings.IOS,
  ...optionalSettings.ANDROID,
});

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
