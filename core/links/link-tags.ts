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
 * A link's tags are in its item. For each of them it has one more place, among the links with the tag; that is written in the
 * link's transaction, so no link is missing there. A reader checks the link all the same: a version that knows no
 * tags leaves places of links that it deletes.
 */

/** What becomes of a link's places among those with a tag when its tags change. */
export const movedTags = (
  link: ListPlace,
  before: readonly string[] = [],
  after: readonly string[] = [],
): Part[] => {
  const entryOf = (tag: string) => taggedLinkKey(link.project, tag, placeOf(link));
  return [
    ...before.filter((tag) => !after.includes(tag)).map((tag) => ({ Delete: { Key: entryOf(tag) } })),
    ...after.filter((tag) => !before.includes(tag)).map((tag) => ({ Put: { Item: entryOf(tag) } })),
  ];
};

/** The tags that links of a project have or had. */
export const tagNames = async (table: Table, project: string): Promise<ReadonlySet<string>> => {
  const item = await table.get(tagNamesKey(project));
  return (item?.names ?? new Set()) as ReadonlySet<string>;
};

/**
 * Makes the transaction that gives tags to links, with a write that notes those which the project has not had so far.
 * Almost always there are none, so links of one tag don't wait for each other. Throws VALIDATION_ERROR if the project has
 * no room for them, and ConditionFailed as the transaction by itself would.
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
      // If others have noted tags in between, there may be room for these all the same.
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

/** The tags of a project. */
export const tagStore = (table: Table) => ({
  /** Those that its links have or had, by name. */
  list: async (project: string): Promise<string[]> => [...(await tagNames(table, project))].sort(),

  /** Puts a name back. */
  note: (project: string, tag: string): Promise<unknown> =>
    table.update(updateOf(tagNamesKey(project), { add: { names: new Set([tag]) } })),

  /** Takes a name off; a link that gets the tag later notes it again. */
  forget: (project: string, tag: string): Promise<unknown> =>
    table.update(updateOf(tagNamesKey(project), { take: { names: new Set([tag]) } })),
});
