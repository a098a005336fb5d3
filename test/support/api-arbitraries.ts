import fc from 'fast-check';
import { type AppPlatform, appFields, appSections, identifierOf } from '../../core/apps/app-fields.ts';
import type { Field, Fields } from '../../core/fields/field.ts';
import { ownFieldNames, ownFields } from '../../core/links/own-fields.ts';
import { namedPayloadFields } from '../../core/links/payload-fields.ts';
import { fieldsOfPlatform } from './app-fields.ts';

/** Few values, so that commands hit the same links. */
const code = fc.constantFrom('one', 'One', 'check', 'a-b_c');
const name = fc.constantFrom('', 'A name', 'Ünïcödé 👋');
const url = fc.constantFrom('https://example.com/a', 'http://example.org/?q=1#top', 'https://例え.jp/ü');
const expiresAt = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('2099-01-01T00:00:00Z', '2098-06-01T12:00:00.5+02:00') },
  { weight: 1, arbitrary: fc.constant('2020-01-01T00:00:00Z') },
);
const app = fc.nat({ max: 6 });
/** Rarely set, because most generated ids match no app, which refuses the whole link. */
const rarely = fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: app });

const tag = fc.constantFrom('a', 'A', 'b', 'team/c');
const tags = fc.array(tag, { maxLength: 4 });

const optional = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });
const saving = { saveApp: fc.boolean(), appName: fc.constantFrom('', 'Saved') };

/** A few values for every field, by its kind. */
const valuesOf = (field: Field): fc.Arbitrary<unknown> => {
  if (field.kind === 'address') return url;
  if (field.kind === 'store-id') return fc.constantFrom('1', '123456789');
  if (field.kind === 'identifier') return fc.constantFrom('com.example.app', 'Ünïcödé');
  if (field.kind === 'choice') return fc.constantFrom(...field.values);
  return fc.constantFrom('com.example.app', '1.2.3', ...(field.min ? [] : ['', 'Ünïcödé 👋']));
};

/** Few names, so that patches hit them. */
const texts = fc.dictionary(fc.constantFrom('a', 'a.b', 'link'), fc.constantFrom('', 'x', '\tÜ\n👋', null));

const valuesOfAll = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([field, entry]) => [field, valuesOf(entry)]));

/** Every payload field except the destination, sections as a whole. */
const sections: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(
  namedPayloadFields
    .filter(([field]) => field !== 'link')
    .map(([field, entry]) => {
      if (!('fields' in entry)) return [field, entry.kind === 'texts' ? texts : valuesOf(entry)];
      const saves = appSections.some((section) => section.name === field);
      return [field, optional({ ...valuesOfAll(entry.fields), ...(saves && saving) })];
    }),
);
for (const { appId } of appSections) sections[appId] = rarely;

const nullable = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  Object.fromEntries(
    Object.entries(fields).map(([field, values]) => [field, fc.option(values, { freq: 4 })]),
  );

/** Sections with fields that are cleared one by one. */
const patchedSections: Record<string, fc.Arbitrary<unknown>> = {
  ...sections,
  ...Object.fromEntries(
    namedPayloadFields.flatMap(([field, entry]) => {
      if (!('fields' in entry)) return [];
      const saves = appSections.some((section) => section.name === field);
      return [[field, optional({ ...nullable(valuesOfAll(entry.fields)), ...(saves && saving) })]];
    }),
  ),
};

const sparse = { link: url, desktop_fallback: url };

const settings = valuesOfAll(appFields);
const of = (platform: AppPlatform): Record<string, fc.Arbitrary<unknown>> =>
  Object.fromEntries(fieldsOfPlatform(platform).map((field) => [field, settings[field] ?? url]));
const appName = fc.constantFrom('An app', 'x'.repeat(255));

/** The fields outside the payload. */
const own = Object.fromEntries(
  ownFieldNames.map((field) => [field, { text: name, time: expiresAt, tags }[ownFields[field].kind]]),
);
const draft = fc.record(
  {
    code,
    ...own,
    status: fc.constantFrom('ACTIVE', 'PAUSED', null),
    payload: fc.oneof(
      fc.record({ link: url, ...sections }, { requiredKeys: ['link'] }),
      fc.record(sparse, { requiredKeys: ['link'] }),
    ),
  },
  { requiredKeys: ['payload'] },
);
/** Few drafts, so that calls are repeated. */
const repeated = fc.record(
  { code, payload: fc.constant({ link: 'https://example.com/a' }) },
  { requiredKeys: ['payload'] },
);

/** Reads of a link and an app that the model checks only by their contracts. */
export const drawnRead = fc.record({ code, app });

/** Contents of requests by operation. Apps are numbers, resolved when the command runs. */
export const drawn = {
  createLink: draft,
  createLinkOnce: fc.record({ key: fc.constantFrom('first', 'second'), draft: repeated }),
  createLinks: fc.array(draft, { minLength: 1, maxLength: 4 }),
  listLinks: fc.record({ page: fc.integer({ min: 1, max: 3 }), pageSize: fc.constantFrom(1, 2, 100) }),
  walkLinks: fc.record(
    {
      tag: fc.uniqueArray(tag, { minLength: 1, maxLength: 3 }).map((several) => several.join()),
      status: fc.constantFrom('ACTIVE', 'PAUSED'),
      search: fc.constantFrom('one', 'ORG', 'name'),
      pageSize: fc.constantFrom(1, 2, 100),
    },
    { requiredKeys: ['pageSize'] },
  ),
  listTags: fc.constant({}),
  getLink: fc.record({ code }),
  updateLink: fc.record(
    {
      code,
      payload: fc.record({ link: url, ...nullable(sections) }, { requiredKeys: ['link'] }),
      ...nullable(own),
    },
    { requiredKeys: ['code', 'payload'] },
  ),
  patchLink: fc.record(
    { code, payload: optional({ link: url, ...nullable(patchedSections) }), ...nullable(own) },
    { requiredKeys: ['code'] },
  ),
  updateLinkStatus: fc.record({ code, status: fc.constantFrom('ACTIVE', 'PAUSED', 'PAUSED', 'EXPIRED') }),
  deleteLink: fc.record({ code }),
  checkCode: fc.record({ code }),
  countClicks: fc.record({ code }),
  createMobileApp: fc.oneof(
    fc.record(
      { platform: fc.constant('IOS'), name: appName, ...of('IOS') },
      { requiredKeys: ['platform', 'name'] },
    ),
    fc.record(
      { platform: fc.constant('ANDROID'), name: appName, ...of('ANDROID') },
      { requiredKeys: ['platform', 'name', identifierOf('ANDROID')] as never[] },
    ),
    fc.record(
      { platform: fc.constantFrom('IOS', 'ANDROID'), name: appName, ...nullable(settings) },
      { requiredKeys: ['platform', 'name'] },
    ),
  ),
  listMobileApps: fc.constant({}),
  getUsage: fc.constant({}),
  getQrStyle: fc.constant({}),
  updateQrStyle: optional({
    color: fc.constantFrom(null, '1B2A6b', 'ffee00'),
    background: fc.constantFrom(null, 'transparent', 'eeeeee'),
    level: fc.constantFrom(null, 'L', 'H'),
  }),
  getMobileApp: fc.record({ app }),
  updateMobileApp: fc.record({ app, name: appName, ...nullable(settings) }, { requiredKeys: ['app'] }),
  deleteMobileApp: fc.record({ app }),
} as const;
