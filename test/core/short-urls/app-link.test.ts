import * as fc from 'fast-check';
import type { LinkPayload } from '../../../core/links/payload-fields.ts';
import { appLinkOf } from '../../../core/short-urls/app-link.ts';
import type { Apps } from '../../../core/short-urls/app-settings.ts';
import { route } from '../../../core/short-urls/routing.ts';

const shortUrl = 'https://go.example.com/launch';
const destination = 'https://shop.example.com/landing';
const now = new Date('2026-06-01T12:00:00.000Z');

const appLink = (payload: Partial<LinkPayload> = {}, apps: Apps = {}, query = '') =>
  appLinkOf(
    { code: 'launch', link: { status: 'ACTIVE', payload: { link: destination, ...payload } } },
    apps,
    { shortUrl, query, now, shown: shortUrl },
  );

const bare = {
  code: 'launch',
  shortUrl,
  link: destination,
  campaign: null,
  android: null,
  ios: null,
  data: null,
  expiresAt: null,
};

test('a link without settings has only its destination', () => {
  expect(appLink()).toEqual(bare);
});

test('missing and empty fields are null', () => {
  const payload = {
    campaign: { utm_source: 'mail', utm_term: '' },
    android: { package: 'com.example.shop', min_version: '' },
    ios: { app_store_id: '42' },
  };
  expect(appLink(payload)).toEqual({
    ...bare,
    link: `${destination}?utm_source=mail`,
    campaign: { utm_source: 'mail' },
    android: { package: 'com.example.shop', minVersion: null },
    ios: { bundleId: null, appStoreId: '42', minVersion: null },
  });
});

test('sections without values for apps are null', () => {
  const payload = {
    campaign: { utm_source: '' },
    android: { store_fallback: 'https://stores.example.com/' },
    ios: { app_store_fallback: 'https://stores.example.com/', bundleId: '' },
  };
  expect(appLink(payload)).toEqual(bare);
});

test('saved apps replace the settings of their platform', () => {
  const payload = {
    android: { package: 'com.example.manual', min_version: '3' },
    ios: { bundleId: 'com.example.manual', app_store_id: '1' },
  };
  const apps = {
    ios: { bundleId: 'com.example.saved', appStoreId: null, iosMinVersion: '17.0' },
    android: { packageName: 'com.example.saved', androidMinVersion: null },
  };
  expect(appLink(payload, apps)).toMatchObject({
    android: { package: 'com.example.saved', minVersion: null },
    ios: { bundleId: 'com.example.saved', appStoreId: null, minVersion: '17.0' },
  });
});

test('the destination is where a desktop browser would go without a desktop fallback', () => {
  fc.assert(
    fc.property(fc.string(), fc.option(fc.string({ minLength: 1 })), (query, utm_source) => {
      const payload = { link: destination, ...(utm_source && { campaign: { utm_source } }) };
      const visitor = { kind: 'person', platform: 'web' } as const;
      const desktop = route({ status: 'ACTIVE', payload }, {}, { visitor, shortUrl, query, now });
      const seen = appLink({ ...payload, desktop_fallback: 'https://shop.example.com/desktop' }, {}, query);
      expect(desktop).toMatchObject({ kind: 'redirect', url: seen?.link });
    }),
  );
});

test('a destination that cannot be opened gives no link', () => {
  expect(appLink({ link: 'javascript:alert(1)' })).toBeUndefined();
});
