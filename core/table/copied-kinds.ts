import { type Key, type Partition, partitions, sortKeys } from './keys.ts';

/** The kinds of items that the second region has: those that visitors' requests read. */
export const copiedKinds = [
  'link',
  'project',
  'domain',
  'associations',
  'suspended',
  'blocked',
] as const satisfies readonly Partition[];

/** Sort keys of copied items, for kinds with others in the same partitions. */
const copiedSortKeys: { readonly [Kind in Partition]?: RegExp } = {
  link: new RegExp(`^${sortKeys.link}$`),
  project: new RegExp(`^(PROJECT|QRSTYLE|${sortKeys.app}.*)$`),
};

/** Whether the second region has the item with this key. */
export const isCopied = ({ PK, SK }: Key): boolean =>
  copiedKinds.some((kind) => {
    const start = partitions[kind];
    const isKind = start.endsWith('#') ? PK.startsWith(start) : PK === start;
    return isKind && (copiedSortKeys[kind]?.test(SK) ?? true);
  });
