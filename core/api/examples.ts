import { namedAppFields } from '../apps/app-fields.ts';
import { newMobileApp } from '../apps/mobile-app.ts';
import { examplesOf } from '../fields/field.ts';
import { examplePayload } from '../links/example-payload.ts';
import { ownExamples, ownFields } from '../links/own-fields.ts';
import { payloadFields } from '../links/payload-fields.ts';

/* Values of contracts' examples. */

const createdAt = '2026-11-20T09:30:00.000Z';
/** Time of the examples' responses. */
export const answeredAt = '2026-11-20T10:15:00.000Z';
/** Requests that the examples' key has used in its hour. */
export const exampleUsed = 42;

export const exampleLink = {
  id: '0b5f0f1e-7c3a-4b63-9d1c-2f6f5a3e8a10',
  code: 'summer',
  shortUrl: 'https://go.example.com/summer',
  ...ownExamples,
  status: 'ACTIVE' as const,
  qrCode: 'https://go.example.com/summer/qr.png',
  createdAt,
  expiresAt: new Date(ownFields.expiresAt.example).toISOString(),
  clickCount: 0,
};

export const exampleAliases = {
  shortLink: exampleLink.shortUrl,
  originalUrl: examplePayload.link,
  previewLink: examplePayload.link,
};

export const exampleListed = {
  ...exampleLink,
  payload: examplePayload,
  projectId: 'shop',
  createdBy: 'user-1',
  updatedAt: createdAt,
};

/** Settings of an iOS app; fields of Android apps are null. */
export const exampleSettings = examplesOf(
  Object.fromEntries(namedAppFields.filter(([, { platform }]) => platform === 'IOS')),
);

export const exampleApp = newMobileApp(
  payloadFields.iosAppId.example,
  { name: 'Shop', platform: 'IOS', ...exampleSettings },
  new Date(createdAt),
);

export const exampleCode = { code: exampleLink.code };
export const exampleDraft = { ...exampleCode, ...ownExamples, payload: examplePayload };

/** Part of the description of every call that takes a link's settings. */
export const savingScope =
  'To save an app with the link (`saveApp`), the key also needs the scope `apps:write`. Referencing a saved app does not need it.';
