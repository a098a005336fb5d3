import type * as z from 'zod';
import { appFields } from '../apps/app-fields.ts';
import { newMobileApp } from '../apps/mobile-app.ts';
import { examplesOf } from '../field.ts';
import { examplePayload } from '../links/example-payload.ts';
import { payloadFields } from '../links/payload-fields.ts';
import { failureMessage } from '../messages.ts';
import type { Contract } from './endpoint.ts';
import type { api } from './index.ts';

/** A request and its answer, as the description of the API shows them. */
type Example<C extends Contract> = {
  readonly [Part in 'params' | 'query' | 'body' as C extends { [Key in Part]: z.ZodType }
    ? Part
    : never]: C extends { [Key in Part]: infer Schema extends z.ZodType } ? z.input<Schema> : never;
} & { readonly data: z.input<C['result']> } & (C extends { pagination: infer Pages extends z.ZodType }
    ? { readonly pagination: z.input<Pages> }
    : unknown);

const createdAt = '2026-11-20T09:30:00.000Z';
const updatedAt = '2026-11-20T10:15:00.000Z';

const payload = examplePayload;

const link = {
  id: '0b5f0f1e-7c3a-4b63-9d1c-2f6f5a3e8a10',
  code: 'summer',
  shortUrl: 'https://go.example.com/summer',
  name: 'Summer sale',
  status: 'ACTIVE' as const,
  qrCode: 'https://go.example.com/summer/qr.png',
  createdAt,
  expiresAt: '2030-01-01T00:00:00.000Z',
  clickCount: 0,
};

const aliases = { shortLink: link.shortUrl, originalUrl: payload.link, previewLink: payload.link };

const listed = { ...link, payload, projectId: 'shop', createdBy: 'user-1', updatedAt: createdAt };

/** Of an iOS app; the fields of Android apps are null. */
const settings = examplesOf(
  Object.fromEntries(Object.entries(appFields).filter(([, { platform }]) => platform === 'IOS')),
);

const app = newMobileApp(
  payloadFields.iosAppId.example,
  { name: 'Shop', platform: 'IOS', ...settings },
  new Date(createdAt),
);

const code = { code: link.code };
/** Of one code twice, the first wins. */
const again = { code: link.code, payload: { link: payload.link } };
const id = { id: app.id };

export const examples: { readonly [Operation in keyof typeof api]: Example<(typeof api)[Operation]> } = {
  createLink: {
    body: { code: 'summer', name: link.name, payload, expiresAt: '2030-01-01T00:00:00Z' },
    data: { ...link, ...aliases },
  },
  createLinks: {
    body: { links: [{ code: 'summer', name: link.name, payload, expiresAt: '2030-01-01T00:00:00Z' }, again] },
    data: {
      created: 1,
      failed: 1,
      results: [
        { index: 0, success: true, link: { ...link, ...aliases } },
        {
          index: 1,
          success: false,
          error: { code: 'CODE_ALREADY_EXISTS', message: failureMessage('codeTaken') },
        },
      ],
    },
  },
  listLinks: {
    query: { page: '1', pageSize: '50' },
    data: [{ ...listed, clickCount: 3 }],
    pagination: { page: 1, pageSize: 50, total: 1, totalPages: 1 },
  },
  getLink: {
    params: code,
    data: {
      ...listed,
      ...aliases,
      clickCount: 3,
      analytics: {
        totalClicks: 3,
        uniqueClicks: 2,
        clicksByPlatform: { ios: 2, android: 0, web: 1 },
        clicksByCountry: { DE: 2, other: 1 },
      },
    },
  },
  updateLink: {
    params: code,
    body: { name: 'Summer sale, last days', payload: { link: payload.link, social: null } },
    data: { message: 'The link was updated' },
  },
  updateLinkStatus: {
    params: code,
    body: { status: 'PAUSED' },
    data: { message: 'The link is now PAUSED', id: link.id, code: link.code, status: 'PAUSED', updatedAt },
  },
  deleteLink: { params: code, data: { message: 'The link was deleted', id: link.id, code: link.code } },
  checkCode: {
    params: code,
    data: { code: link.code, available: false, message: 'The code is in use in the project, or was' },
  },
  createMobileApp: {
    body: { platform: 'IOS', name: app.name, ...settings },
    data: app,
  },
  listMobileApps: { data: { apps: [app], total: 1 } },
  getMobileApp: { params: id, data: app },
  updateMobileApp: {
    params: id,
    body: { iosMinVersion: '16.0' },
    data: { ...app, iosMinVersion: '16.0', updatedAt },
  },
  deleteMobileApp: { params: id, data: { message: 'The mobile app was deleted' } },
  getAnalytics: {
    query: {
      code: 'summer',
      groupBy: 'timeseries',
      start: '2026-11-19',
      end: '2026-11-20',
      granularity: 'day',
    },
    data: [
      { start: '2026-11-19T00:00:00.000Z', clicks: 2, uniqueClicks: 1 },
      { start: '2026-11-20T00:00:00.000Z', clicks: 1, uniqueClicks: 1 },
    ],
  },
  getUsage: {
    data: {
      limit: 180_000,
      used: 42,
      remaining: 179_958,
      resetAt: '2026-11-20T11:00:00.000Z',
      windowSeconds: 3600,
    },
  },
};

/** When the example answers were given. */
export const answeredAt = updatedAt;
