import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Lock, licenseGroups, refusedLicenses } from '../../bin/license-groups.ts';

const lock: Lock = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../package-lock.json'), 'utf8'),
);

test('every package in use has an accepted licence', () => {
  const groups = licenseGroups(lock);
  expect(groups.find(({ license }) => license === 'MIT')?.packages).toContain('zod');
  expect(refusedLicenses(groups)).toEqual([]);
});

test('a copyleft licence is refused, unless there is an alternative', () => {
  const groups = licenseGroups({
    packages: {
      'node_modules/strict': { license: 'AGPL-3.0' },
      'node_modules/both': { license: '(MIT AND AGPL-3.0)' },
      'node_modules/choice': { license: '(MIT OR GPL-3.0-or-later)' },
      'node_modules/a/node_modules/silent': {},
      'node_modules/tool': { license: 'MPL-2.0', dev: true },
      'node_modules/other-platform': { os: ['win32'] },
    },
  });
  expect(refusedLicenses(groups).flatMap(({ packages }) => packages)).toEqual(['strict', 'both', 'silent']);
});
