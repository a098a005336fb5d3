import { excludedName, shownName } from '../../../core/analytics/shown-names.ts';

test.each(['constructor', 'toString', '__proto__'])('a referrer %s is shown as it is', (name) => {
  expect([shownName('referrers', name), excludedName(name)]).toEqual([name, name]);
});
