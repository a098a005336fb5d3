/** The members of a package-lock.json entry that `npm run licenses` reads. */
interface LockedPackage {
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  /** Set for a package of one platform, whose entry has no licence until npm has fetched it there. */
  readonly os?: readonly string[];
}

export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** A licence and the names of the packages under it, sorted. */
interface LicenseGroup {
  readonly license: string;
  readonly packages: readonly string[];
}

/** Licences that require only a notice. In a choice of licences, one accepted is enough. */
const accepted = new Set([
  'MIT',
  'Apache-2.0',
  'ISC',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Unlicense',
]);

const unstated = 'not stated in the lock file';

/** The packages that a deployment or the local stack uses, by licence, the most frequent first. */
export const licenseGroups = ({ packages }: Lock): LicenseGroup[] => {
  const groups = new Map<string, Set<string>>();
  for (const [folder, { license, dev, link, os }] of Object.entries(packages)) {
    const name = folder.split('node_modules/').at(-1) ?? '';
    if (dev || link || !folder.includes('node_modules/')) continue;
    const found = license ?? (os ? `${unstated} (other platforms)` : unstated);
    groups.set(found, (groups.get(found) ?? new Set()).add(name));
  }
  return [...groups]
    .map(([license, names]) => ({ license, packages: [...names].sort() }))
    .sort((one, other) => other.packages.length - one.packages.length);
};

/** The groups whose licence isn't accepted. */
export const refusedLicenses = (groups: readonly LicenseGroup[]): LicenseGroup[] =>
  groups.filter(({ license }) => !license.startsWith(`${unstated} (`) && !isAccepted(license));

const isAccepted = (license: string): boolean =>
  license
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => accepted.has(one)));
