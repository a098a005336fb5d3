import { describedSettings, settingsPage } from '../../bin/settings-page.ts';
import { unitsPage } from '../../bin/units-page.ts';
import { kinds } from '../../lib/settings.ts';
import { textOf } from '../support/source-files.ts';

test('every setting has a comment, a kind and a group on its page', () => {
  const described = describedSettings();
  expect(described.map(({ name }) => name).sort()).toEqual(Object.keys(kinds).sort());
  expect(described.filter(({ group, meaning }) => group === '' || meaning === '')).toEqual([]);
  expect(Object.values(kinds).filter(({ description }) => !description)).toEqual([]);
});

test('docs/settings.md and docs/units.md are up to date with `npm run generate`', () => {
  expect(textOf('docs/settings.md')).toBe(settingsPage());
  expect(textOf('docs/units.md')).toBe(unitsPage());
});
