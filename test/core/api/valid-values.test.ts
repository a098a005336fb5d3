import type * as z from 'zod';
import { readBody } from '../../../core/api/request.ts';
import { type AppPlatform, appFields } from '../../../core/apps/app-fields.ts';
import { mobileAppChange, mobileAppDraft } from '../../../core/apps/mobile-app-schema.ts';
import { Failure } from '../../../core/base/failure.ts';
import { examplesOf } from '../../../core/fields/field.ts';
import { examplePayload } from '../../../core/links/example-payload.ts';
import { linkChange, linkDraft, linkPatch } from '../../../core/links/link-schema.ts';
import { ownExamples } from '../../../core/links/own-fields.ts';
import { fieldsOfPlatform } from '../../support/app-fields.ts';

type Place = readonly (string | number)[];

const saving = { saveApp: true, appName: 'Shop' };
const payload = {
  ...examplePayload,
  iosAppId: 'a',
  androidAppId: 'a',
  ios: { ...examplePayload.ios, ...saving },
  android: { ...examplePayload.android, ...saving },
};
const link = { code: 'launch', ...ownExamples, payload };
const appOf = (platform: AppPlatform) => {
  const fields = fieldsOfPlatform(platform).map((name) => [name, appFields[name]] as const);
  return { name: 'Shop', platform, ...examplesOf(Object.fromEntries(fields)) };
};

const placesIn = (value: unknown, place: Place = []): Place[] => [
  ...(place.length > 0 ? [place] : []),
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, part]) =>
        placesIn(part, [...place, Array.isArray(value) ? Number(name) : name]),
      )
    : []),
];

const withValue = (at: unknown, [name, ...rest]: Place, value: unknown): unknown => {
  if (name === undefined) return value;
  if (Array.isArray(at)) return at.with(Number(name), withValue(at[Number(name)], rest, value));
  const record = at as Record<string, unknown>;
  return { ...record, [name]: withValue(record[name], rest, value) };
};

/** The fault of a body at one place. */
const faultAt = (schema: z.ZodType, body: unknown, place: Place): string | undefined => {
  try {
    readBody(schema, body);
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.faults.find(({ field }) => field === place.join('.'))?.message;
  }
};

test.each<[string, z.ZodType, object]>([
  ['new link', linkDraft, link],
  ['change of a link', linkChange, link],
  ['patch of a link', linkPatch, link],
  ['new iOS app', mobileAppDraft, appOf('IOS')],
  ['new Android app', mobileAppDraft, appOf('ANDROID')],
  ['change of an app', mobileAppChange, appOf('IOS')],
])('a wrong type anywhere in a %s is refused with a right value', (_, schema, body) => {
  for (const place of placesIn(body)) {
    const faults = [7, [[]], { a: 1 }, true, 'x'].map((value) =>
      faultAt(schema, withValue(body, place, value), place),
    );
    const messages = faults.filter((fault) =>
      /^must be (a string|a number|a whole number|an object|an array)/.test(fault ?? ''),
    );
    const shown = messages.flatMap(
      (fault) => /^must be an? [a-z ]+, such as (.+)$/.exec(fault ?? '')?.[1] ?? [],
    );
    const isChoice = faults[0]?.includes(' or ');
    // `code` and others are ignored in changes.
    if (messages.length === 0 || isChoice) continue;
    expect([place, shown.length]).toEqual([place, messages.length]);
    for (const text of new Set(shown)) {
      const right = withValue(body, place, JSON.parse(text));
      const fault = faultAt(schema, right, place);
      // It is valid, but may be there already.
      const isRight =
        fault === undefined || /already used by an earlier entry|must not contain duplicates/.test(fault);
      expect([place, text, fault, isRight]).toEqual([place, text, fault, true]);
    }
  }
});

test('a missing field is just required', () => {
  expect(faultAt(linkDraft, { payload: {} }, ['payload', 'link'])).toBe('is required');
  expect(faultAt(linkDraft, { ...link, tags: [1] }, ['tags', 0])).toBe('must be a string, such as "summer"');
  expect(faultAt(linkDraft, { ...link, payload: 'https://example.com' }, ['payload'])).toBe(
    'must be an object, such as {"link":"https://shop.example.com/summer"}',
  );
});
