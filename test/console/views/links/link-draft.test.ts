import * as fc from 'fast-check';
import { changedSettings, flatten, payloadOf } from '../../../../console/views/links/link-draft.ts';
import { mergePatch } from '../../../../core/links/merge-patch.ts';
import type { LinkPayload } from '../../../../core/links/payload-fields.ts';

const before: LinkPayload = {
  link: 'https://example.com/',
  desktop_fallback: 'https://example.com/desktop',
  ios: { bundleId: 'com.example', app_store_id: '123456789' },
};
const opened = flatten(before);

test('a form sends only the settings that were changed, and null for cleared ones', () => {
  expect(changedSettings(opened, opened)).toEqual({});
  expect(changedSettings(opened, { ...opened, link: 'https://example.com/new' })).toEqual({
    link: 'https://example.com/new',
  });
  expect(changedSettings(opened, { ...opened, desktop_fallback: '', 'android.package': 'com.app' })).toEqual({
    desktop_fallback: null,
    android: { package: 'com.app' },
  });
});

test('rules stay as they are, whatever else is edited', () => {
  const withRules = flatten({
    ...before,
    rules: [{ name: 'de', countries: ['DE'], link: 'https://example.com/de' }],
  });
  expect(withRules).toEqual(opened);
  expect(changedSettings(withRules, { ...withRules, link: 'https://example.com/new' })).toEqual({
    link: 'https://example.com/new',
  });
});

test('a section sends only changed fields, and null once all of it is cleared', () => {
  expect(changedSettings(opened, { ...opened, 'ios.bundleId': 'com.other' })).toEqual({
    ios: { bundleId: 'com.other' },
  });
  expect(changedSettings(opened, { ...opened, 'ios.bundleId': '' })).toEqual({ ios: { bundleId: null } });
  expect(changedSettings(opened, { ...opened, 'ios.bundleId': '', 'ios.app_store_id': '' })).toEqual({
    ios: null,
  });
});

const paths = ['link', 'desktop_fallback', 'ios.bundleId', 'ios.app_store_id', 'android.package', 'query'];
const edits = fc.dictionary(fc.constantFrom(...paths), fc.constantFrom('', 'x', 'y'));
/** Settings after saving forms one after the other, as a form would show them. */
const savedBoth = (...forms: object[]) =>
  flatten(
    forms.reduce<object>(
      (stored, form) => mergePatch(stored, changedSettings(opened, { ...opened, ...form })) as object,
      before,
    ),
  );

test('a form saves the settings that it shows', () => {
  fc.assert(
    fc.property(edits, (edit) => {
      expect(savedBoth(edit)).toEqual(flatten(payloadOf({ ...opened, ...edit })));
    }),
  );
});

test('two tabs with changes of different fields keep both, in any order, unless one clears the whole section', () => {
  fc.assert(
    fc.property(edits, edits, (one, other) => {
      const rest = Object.fromEntries(Object.entries(other).filter(([path]) => !(path in one)));
      const clears = [one, rest, { ...one, ...rest }].some(
        (edit) => changedSettings(opened, { ...opened, ...edit }).ios === null,
      );
      fc.pre(!clears);
      expect(savedBoth(one, rest)).toEqual(savedBoth({ ...one, ...rest }));
      expect(savedBoth(rest, one)).toEqual(savedBoth({ ...one, ...rest }));
    }),
  );
});
