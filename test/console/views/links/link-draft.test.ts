import * as fc from 'fast-check';
import { changedSettings, flatten } from '../../../../console/views/links/link-draft.ts';
import { mergePatch } from '../../../../core/base/merge-patch.ts';
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

test('a section goes whole, and null once all of it is cleared', () => {
  expect(changedSettings(opened, { ...opened, 'ios.bundleId': '' })).toEqual({
    ios: { app_store_id: '123456789' },
  });
  expect(changedSettings(opened, { ...opened, 'ios.bundleId': '', 'ios.app_store_id': '' })).toEqual({
    ios: null,
  });
});

const paths = ['link', 'desktop_fallback', 'ios.bundleId', 'ios.app_store_id', 'android.package', 'query'];
const edits = fc.dictionary(fc.constantFrom(...paths), fc.constantFrom('', 'x', 'y'));
const sectionOf = (path: string) => path.split('.')[0];
/** What is stored once both forms are saved, one after the other. */
const savedBoth = (...forms: object[]) =>
  forms.reduce<LinkPayload>(
    (stored, form) => mergePatch(stored, changedSettings(opened, { ...opened, ...form }), 1) as LinkPayload,
    before,
  );

test('two tabs with changes of different settings keep both, in any order', () => {
  fc.assert(
    fc.property(edits, edits, (one, other) => {
      const touched = Object.keys(one).map(sectionOf);
      const rest = Object.fromEntries(
        Object.entries(other).filter(([path]) => !touched.includes(sectionOf(path))),
      );
      expect(savedBoth(one, rest)).toEqual(savedBoth({ ...one, ...rest }));
      expect(savedBoth(rest, one)).toEqual(savedBoth({ ...one, ...rest }));
    }),
  );
});
