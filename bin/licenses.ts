import { readFileSync } from 'node:fs';
import path from 'node:path';
import { refuseArguments } from './arguments.ts';
import { licenseGroups, refusedLicenses } from './license-groups.ts';

refuseArguments(
  'licenses',
  `Lists the licences of the packages that a deployment or the local stack uses;
fails on one that is not accepted.`,
);
const groups = licenseGroups(
  JSON.parse(readFileSync(path.join(import.meta.dirname, '..', 'package-lock.json'), 'utf8')),
);
for (const { license, packages } of groups)
  console.log(`${license} (${packages.length})\n  ${packages.join(', ')}\n`);
const refused = refusedLicenses(groups);
for (const { license, packages } of refused)
  console.error(
    `${license} is not accepted: replace ${packages.join(', ')}, or accept it in bin/license-groups.ts`,
  );
process.exitCode = refused.length > 0 ? 1 : 0;
