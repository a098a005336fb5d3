import { readFileSync } from 'node:fs';
import path from 'node:path';
import { columns, moreColumns } from '../../../core/links/link-columns.ts';

const guide = path.join(import.meta.dirname, '../../../docs/migrate.md');

test('no two columns have one name, and every field has the column of its path', () => {
  const all = [...columns, ...moreColumns];
  expect(new Set(all.map(({ name }) => name.toLowerCase())).size).toBe(all.length);
  expect(all.find(({ name }) => name === 'iosAppStoreId')?.field).toBe('payload.ios.app_store_id');
  expect(all.find(({ name }) => name === 'utmSource')?.field).toBe('payload.campaign.utm_source');
});

test('the header of an export stays the same', () => {
  expect(columns.map(({ name }) => name).join()).toBe(
    'code,shortUrl,link,name,status,createdAt,expiresAt,clicks,uniqueClicks,clicksIos,clicksAndroid,clicksWeb,' +
      'desktopFallback,androidPackage,androidStoreFallback,iosBundleId,iosAppStoreId,iosAppStoreFallback,' +
      'socialTitle,socialDescription,socialImage,utmSource,utmMedium,utmCampaign,utmTerm,utmContent,tags,appData',
  );
});

test('docs/migrate.md lists the columns of an export in their order', () => {
  const docs = readFileSync(guide, 'utf8').replaceAll(/\s+/g, ' ');
  expect(docs).toContain(`\`${columns.map(({ name }) => name).join(', ')}\``);
});
