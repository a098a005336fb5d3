import { readFileSync } from 'node:fs';
import path from 'node:path';
import { appSections, namedPayloadFields } from '../../../core/links/payload-fields.ts';
import { columns, moreColumns } from '../../../ops/transfer/columns.ts';

/** CSV has the saved apps' settings in place of their ids. */
const ids: readonly string[] = appSections.map(({ appId }) => appId);

const paths = namedPayloadFields.flatMap(([name, entry]) =>
  'fields' in entry ? Object.keys(entry.fields).map((field) => `${name}.${field}`) : [name],
);

const guide = path.join(import.meta.dirname, '../../../docs/migrate.md');

test('CSV has a column for each field of the payload but the ids of saved apps', () => {
  const read = [...columns, ...moreColumns].flatMap(({ field }) =>
    field?.startsWith('payload.') ? [field] : [],
  );
  const fields = paths.filter((one) => !ids.includes(one)).map((one) => `payload.${one}`);
  expect(read.sort()).toEqual(fields.sort());
});

test('the header of an export stays the same', () => {
  expect(columns.map(({ name }) => name).join()).toBe(
    'code,shortUrl,link,name,status,createdAt,expiresAt,clicks,uniqueClicks,clicksIos,clicksAndroid,clicksWeb,' +
      'desktopFallback,androidPackage,androidStoreFallback,iosBundleId,iosAppStoreId,iosAppStoreFallback,' +
      'socialTitle,socialDescription,socialImage,utmSource,utmMedium,utmCampaign,utmTerm,utmContent',
  );
});

test('docs/migrate.md lists the columns in their order', () => {
  const docs = readFileSync(guide, 'utf8').replaceAll(/\s+/g, ' ');
  for (const list of [columns, moreColumns])
    expect(docs).toContain(`\`${list.map(({ name }) => name).join(', ')}\``);
});
