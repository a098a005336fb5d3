import { appPlatforms, appSections, namedAppFields } from '../../../core/apps/app-fields.ts';
import { limits } from '../../../core/base/limits.ts';
import type { Field, Texts } from '../../../core/fields/field.ts';
import { ownFields } from '../../../core/links/own-fields.ts';
import { namedPayloadFields } from '../../../core/links/payload-fields.ts';
import { fillers, longest } from '../../support/longest-texts.ts';

/** Lambda refuses more than 6 MB, with headers and all. */
const answerBytes = 6_000_000;

/**
 * The most bytes of a text in an answer. A body is JSON inside JSON: a quote takes four bytes there, as many as the
 * largest character in UTF-8. Control characters, which take seven, are refused.
 */
const ofText = (characters: number) => 4 * characters;

const ofValue = (field: Field | Texts): number => {
  // JSON in JSON takes at most twice as much.
  if (field.kind === 'texts') return 2 * limits.texts.bytes;
  if (field.kind === 'address') return limits.addressBytes;
  if (field.kind === 'identifier') return limits.identifierBytes;
  if (field.kind === 'store-id') return limits.appStoreIdDigits;
  if (field.kind === 'text') return ofText(field.max);
  return Math.max(...field.values.map((value) => value.length));
};

test.each(fillers)('no field takes more bytes of %j than the sums below count', (filler) => {
  const fields = [
    ...namedAppFields.map(([, field]) => field),
    ...namedPayloadFields.flatMap(([, entry]) => ('fields' in entry ? Object.values(entry.fields) : [entry])),
  ].filter((field) => field.kind !== 'texts');
  const quotes = JSON.stringify(JSON.stringify('')).length;
  for (const field of fields) {
    const inAnswer = JSON.stringify(JSON.stringify(longest(field, filler) ?? ''));
    expect(Buffer.byteLength(inAnswer) - quotes).toBeLessThanOrEqual(ofValue(field));
  }
});

/** With its name, quotes, colon and comma. */
const sum = (fields: readonly (readonly [string, Field | Texts])[]): number =>
  fields.reduce((bytes, [name, field]) => bytes + name.length + 10 + ofValue(field), 0);

const besidePayload = Object.values(ownFields).reduce((bytes, field) => {
  if (field.kind === 'text') return bytes + ofText(field.max);
  // Tags are in lower-case ASCII, each in quotes that are escaped.
  return bytes + (field.kind === 'tags' ? limits.tagsPerLink * (limits.tag + 5) : 0);
}, 0);

/** Ids, times, counts and short URLs, with their names. */
const ofRest = 2000;

test('a page of links fits an answer, whatever fields they have', () => {
  const fields = namedPayloadFields
    // They are shown of apps that exist, and so are no longer than other ids.
    .filter(([name]) => !appSections.some(({ appId }) => appId === name))
    .flatMap(([name, entry]): (readonly [string, Field | Texts])[] =>
      'fields' in entry ? Object.entries(entry.fields) : [[name, entry]],
    );
  const link = sum(fields) + limits.rules.answerBytes + besidePayload + ofRest;
  expect(link * limits.pageSize.max).toBeLessThan(answerBytes);
});

test.each(appPlatforms)('all %s apps of a project fit an answer, whatever fields they have', (platform) => {
  const own = namedAppFields.filter(([, field]) => field.platform === platform);
  const nulls = namedAppFields
    .filter(([, field]) => field.platform !== platform)
    .reduce((bytes, [name]) => bytes + name.length + 10, 0);
  const idAndTimes = 250;
  const app = sum(own) + nulls + ofText(limits.name) + idAndTimes;
  expect(app * limits.appsPerProject).toBeLessThan(answerBytes);
});
