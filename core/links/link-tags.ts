import { refuseFaults } from '../base/failure.ts';
import { limits } from '../base/limits.ts';
import { fault } from '../base/messages.ts';
import { taggedLinkKey, tagNamesKey } from '../table/keys.ts';
import { ConditionFailed, type Part, type Table } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import { updateOf } from '../table/update.ts';
import type { Link } from './link.ts';
import { type ListPlace, placeOf } from './link-list.ts';

/*
 * A link's item contains its tags. For each tag it also has a place in the tag's list, written in the same transaction,
 * so the list is complete. Readers still check each link, because versions without tags leave places of deleted links.
 */

/** Writes that move a link between tags' lists. */
export const tagParts = (
  link: ListPlace & Pick<Link, 'shareKey'>,
  before: readonly string[] = [],
  after: readonly string[] = [],
): Part[] => {
  if (link.shareKey !== undefined) return [];
  const entryOf = (tag: string) => taggedLinkKey(link.project, tag, placeOf(link));
  return [
    ...before.filter((tag) => !after.includes(tag)).map((tag) => ({ Delete: { Key: entryOf(tag) } })),
    ...after.filter((tag) => !before.includes(tag)).map((tag) => ({ Put: { Item: entryOf(tag) } })),
  ];
};

/** Tags that a project's links have or had. */
export const tagNames = async (table: Table, project: string): Promise<ReadonlySet<string>> => {
  const item = await table.get(tagNamesKey(project));
  return (item?.names ?? new Set()) as ReadonlySet<string>;
};

/**
 * Makes a transaction that gives tags to links, with a write that stores tags which are new to the project. There are
 * rarely any, so links with the same tag don't conflict. Throws VALIDATION_ERROR if the project has no room for them,
 * and the transaction's own ConditionFailed.
 */
export const notingTags = async (
  table: Table,
  { project, tags = [] }: Pick<Link, 'project' | 'tags'>,
  transact: (noted: readonly Part[]) => Promise<void>,
): Promise<void> => {
  if (tags.length === 0) return transact([]);
  const failed = await untilMet(async () => {
    const known = await tagNames(table, project);
    const fresh = new Set(tags.filter((tag) => !known.has(tag)));
    const noted = fresh.size > 0 ? [addNames(project, fresh, known)] : [];
    try {
      await transact(noted);
      return undefined;
    } catch (error) {
      // A concurrent call stored tags, but there may still be room for these.
      if (!(error instanceof ConditionFailed) || error.part < noted.length) throw error;
      return new ConditionFailed(error.item, { part: error.part - noted.length });
    }
  });
  if (failed) throw failed;
};

/** Throws VALIDATION_ERROR if the project has no room for these tags. */
export const refuseManyTags = (tags: Iterable<string>, known: ReadonlySet<string>): void => {
  const all = new Set([...known, ...tags]);
  if (all.size > Math.max(known.size, limits.tagsPerProject)) refuseFaults([fault('tags', 'tooManyTags')]);
};

const addNames = (project: string, fresh: ReadonlySet<string>, known: ReadonlySet<string>): Part => {
  refuseManyTags(fresh, known);
  const most = limits.tagsPerProject - fresh.size;
  return {
    Update: updateOf(tagNamesKey(project), {
      add: { names: fresh },
      when: 'attribute_not_exists(#names) OR size(#names) <= :most',
      values: { most },
    }),
  };
};

export const tagStore = (table: Table) => ({
  /** Tags that the project's links have or had, by name. */
  list: async (project: string): Promise<string[]> => [...(await tagNames(table, project))].sort(),

  note: (project: string, tag: string): Promise<unknown> =>
    table.update(updateOf(tagNamesKey(project), { add: { names: new Set([tag]) } })),

  /** Removes a name; a link that gets the tag later adds it again. */
  forget: (project: string, tag: string): Promise<unknown> =>
    table.update(updateOf(tagNamesKey(project), { take: { names: new Set([tag]) } })),
});
