import { readFileSync } from 'node:fs';
import path from 'node:path';
import { appSections, namedPayloadFields } from '../../../core/links/payload-fields.ts';
import { columns } from '../../../ops/transfer/columns.ts';

/** CSV has the saved apps' settings in place of their ids. */
const ids: readonly string[] = appSections.map(({ appId }) => appId);

const paths = namedPayloadFields.flatMap(([name, entry]) =>
  'fields' in entry ? Object.keys(entry.fields).map((field) => `${name}.${field}`) : [name],
);

const guide = path.join(import.meta.dirname, '../../../docs/migrate.md');

test('CSV has a column for each field of the payload but the ids of saved apps', () => {
  const read = columns.flatMap(({ field }) => (field?.startsWith('payload.') ? [field] : []));
  const fields = paths.filter((one) => !ids.includes(one)).map((one) => `payload.${one}`);
  expect(read.sort()).toEqual(fields.sort());
});

test('docs/migrate.md lists the columns in their order', () => {
  const docs = readFileSync(guide, 'utf8').replaceAll(/\s+/g, ' ');
  expect(docs).toContain(`\`${columns.map(({ name }) => name).join(', ')}\``);
});
