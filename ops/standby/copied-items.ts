import { type Key, partitions, sortKeys } from '../../core/table/keys.ts';

/* until home's lands */
const copied: readonly (readonly [string, string?])[] = [
  [partitions.link, sortKeys.link],
  [partitions.project, 'PROJECT'],
  [partitions.project, sortKeys.app],
  [partitions.domain],
  [partitions.associations],
  [partitions.suspended],
  [partitions.blocked],
];
const exact = new Set<string>([sortKeys.link, 'PROJECT']);
export const isCopied = ({ PK, SK }: Key): boolean =>
  copied.some(([pk, sk]) => {
    const isPartition = pk.endsWith('#') ? PK.startsWith(pk) : PK === pk;
    return isPartition && (sk === undefined || (exact.has(sk) ? SK === sk : SK.startsWith(sk)));
  });
export const homeKey: Key = { PK: 'HOME', SK: 'HOME' };
export const denialPartition = 'STANDBYDENIED';
export const denialKey = (project: string, code: string): Key => ({
  PK: denialPartition,
  SK: `${project}#${code}`,
});
