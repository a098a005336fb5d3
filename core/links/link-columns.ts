import { appSections } from '../apps/app-fields.ts';
import type { MobileApp } from '../apps/mobile-app.ts';
import { effectiveSettings } from '../apps/saved-settings.ts';
import { isRecord } from '../base/record.ts';
import type { Field, Texts } from '../fields/field.ts';
import { ownFieldNames, ownFields } from './own-fields.ts';
import { type LinkPayload, namedPayloadFields } from './payload-fields.ts';
import type { presentLink } from './shown-link.ts';

/** The source of a column: a link as its owner sees it, with its saved apps' settings in the payload. */
type FlatLink = Omit<ReturnType<typeof presentLink>, 'project' | 'segment' | 'payload'> & {
  readonly payload: LinkPayload;
};

export type FindApp = (id: string | undefined) => MobileApp | undefined;

/** A payload for columns: with its saved apps' settings instead of their ids. */
export const flatPayload = (payload: LinkPayload, find: FindApp): LinkPayload => {
  const flat = { ...payload };
  for (const { name, appId } of appSections) {
    const app = find(payload[appId]);
    if (app) Object.assign(flat, { [name]: effectiveSettings(name, payload[name], app) });
    delete flat[appId];
  }
  return flat;
};

interface Column {
  readonly name: string;
  /** The field that an import sets; undefined for columns that are only exported. */
  readonly field?: string;
  /** Whether a cell holds several values, separated by blanks. */
  readonly isList?: boolean;
  /** Whether a cell holds a JSON object of texts. */
  readonly isJson?: boolean;
  /** Whether surrounding blanks may be intended. */
  readonly isText?: boolean;
  /** Meaning of a payload's setting, with its possible words. */
  readonly about?: string;
  readonly choices?: readonly string[] | undefined;
  readonly show: (link: FlatLink) => string | number | undefined;
}

/** Columns of a link outside the payload. */
const ofLink: readonly Column[] = [
  ...ownFieldNames.map(
    (name): Column => ({
      name,
      field: name,
      isList: ownFields[name].kind === 'tags',
      isText: ownFields[name].kind === 'text',
      show: (link) => (link[name] === undefined ? undefined : [link[name]].flat().join(' ')),
    }),
  ),
  { name: 'code', show: ({ code }) => code },
  { name: 'shortUrl', show: ({ shortUrl }) => shortUrl },
  { name: 'status', field: 'status', show: ({ status }) => status },
  { name: 'createdAt', field: 'createdAt', show: ({ createdAt }) => createdAt },
  { name: 'clicks', show: ({ clickCount }) => clickCount },
  { name: 'uniqueClicks', show: ({ analytics }) => analytics.uniqueClicks },
  { name: 'clicksIos', show: ({ analytics }) => analytics.clicksByPlatform.ios },
  { name: 'clicksAndroid', show: ({ analytics }) => analytics.clicksByPlatform.android },
  { name: 'clicksWeb', show: ({ analytics }) => analytics.clicksByPlatform.web },
];

/** Fields with an app's id, replaced by its settings. */
const ids: readonly string[] = appSections.map(({ appId }) => appId);

/** `ios.app_store_id` is `iosAppStoreId`, and `campaign.utm_source` is `utmSource`. */
const columnName = (path: string): string =>
  path
    .replace(/^data$/, 'appData')
    .replace(/^campaign\./, '')
    .replaceAll(/[._]([a-z])/gi, (_, letter: string) => letter.toUpperCase());

const settingAt = (payload: object, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], payload);

/** A value's text. Objects are sorted, because the table returns their fields in any order. */
export const textOf = (value: unknown): string | undefined =>
  isRecord(value)
    ? JSON.stringify(Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))))
    : (value as string | undefined);

/** Every field of the payload. */
const ofPayload = namedPayloadFields
  .filter(([name]) => !ids.includes(name))
  .flatMap(([name, entry]): (readonly [path: string, field: Field | Texts])[] =>
    'fields' in entry
      ? Object.entries<Field>(entry.fields).map(([field, one]) => [`${name}.${field}`, one])
      : [[name, entry]],
  )
  .map(
    ([path, field]): Column => ({
      name: columnName(path),
      field: `payload.${path}`,
      isText: field.kind === 'text',
      isJson: field.kind === 'texts',
      about: field.about,
      choices: field.kind === 'choice' ? field.values : undefined,
      show: ({ payload }) => textOf(settingAt(payload, path)),
    }),
  );

/** The header of an export. Programs rely on it, so new columns go to its end. */
const exported = [
  ...['code', 'shortUrl', 'link', 'name', 'status', 'createdAt', 'expiresAt'],
  ...['clicks', 'uniqueClicks', 'clicksIos', 'clicksAndroid', 'clicksWeb', 'desktopFallback'],
  ...['androidPackage', 'androidStoreFallback', 'iosBundleId', 'iosAppStoreId', 'iosAppStoreFallback'],
  ...['socialTitle', 'socialDescription', 'socialImage'],
  ...['utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent', 'tags', 'appData'],
];
const known = [...ofLink, ...ofPayload];

/** The columns of our own CSV, in order. */
export const columns = exported.flatMap((name) => known.filter((column) => column.name === name));

/** Columns that only imports read; an export reports those that its links would have needed. */
export const moreColumns = known.filter(({ name }) => !exported.includes(name));

/** The settings of a payload except its destination. */
export const settingColumns = ofPayload.filter(({ name }) => name !== 'link');

/** Fields in which surrounding blanks may be intended. */
export const textFields: ReadonlySet<string | undefined> = new Set(
  known.filter(({ isText }) => isText).map(({ field }) => field),
);
