import { refuseFaults } from '../base/failure.ts';
import { limits } from '../base/limits.ts';
import { fault } from '../base/messages.ts';
import { taggedLinkKey, tagNamesKey } from '../table/keys.ts';
import { ConditionFailed, type Part, type Table } from '../table/table.ts';
import type { Link } from './link.ts';
import { type Place, placeOf } from './link-list.ts';

/*
 * A link's tags are in its item. For each of them it has one more place, among the links with the tag; that is written in the
 * link's transaction, so no link is missing there. A reader checks the link all the same: a version that knows no
 * tags leaves places of links that it deletes.
 */

type Tagged = Place & Pick<Link, 'tags'>;

const entryOf = (link: Place, tag: string) => taggedLinkKey(link.project, tag, placeOf(link));

/** Lists a link under each of its tags, but for those that it had before. */
export const listTagged = (link: Tagged, before: readonly string[] = []): Part[] =>
  (link.tags ?? [])
    .filter((tag) => !before.includes(tag))
    .map((tag) => ({ Put: { Item: entryOf(link, tag) } }));

/** Takes a link off the list of each of its tags, but for those that it keeps. */
export const delistTagged = (link: Tagged, kept: readonly string[] = []): Part[] =>
  (link.tags ?? [])
    .filter((tag) => !kept.includes(tag))
    .map((tag) => ({ Delete: { Key: entryOf(link, tag) } }));

const namesOf = async (table: Table, project: string): Promise<ReadonlySet<string>> => {
  const item = await table.get(tagNamesKey(project));
  return (item?.names ?? new Set()) as ReadonlySet<string>;
};

/** Tags that a write gives to links of a project. */
interface GivenTags {
  readonly project: string;
  readonly tags?: readonly string[] | undefined;
}

/**
 * Makes the transaction that gives tags to links, with a write that notes those which the project has not had so far.
 * Almost always there are none, so links of one tag don't wait for each other. Throws VALIDATION_ERROR if the project has
 * no room for them, and ConditionFailed as the transaction by itself would.
 */
export const notingTags = async (
  table: Table,
  { project, tags = [] }: GivenTags,
  transact: (noted: readonly Part[]) => Promise<void>,
): Promise<void> => {
  if (tags.length === 0) return transact([]);
  for (;;) {
    const known = await namesOf(table, project);
    const fresh = new Set(tags.filter((tag) => !known.has(tag)));
    if (fresh.size === 0) return transact([]);
    const most = limits.tagsPerProject - fresh.size;
    if (known.size > most) refuseFaults([fault('tags', 'tooManyTags')]);
    try {
      return await transact([addNames(project, fresh, most)]);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.part > 0) throw new ConditionFailed(error.item, { part: error.part - 1 });
      // Others have noted tags in between: there may be room for these all the same.
    }
  }
};

const addNames = (project: string, fresh: ReadonlySet<string>, most: number): Part => ({
  Update: {
    Key: tagNamesKey(project),
    UpdateExpression: 'ADD #names :fresh',
    ConditionExpression: 'attribute_not_exists(#names) OR size(#names) <= :most',
    ExpressionAttributeNames: { '#names': 'names' },
    ExpressionAttributeValues: { ':fresh': fresh, ':most': most },
  },
});

/** The tags of a project. */
export const tagStore = (table: Table) => ({
  /** Those that its links have or had, by name. */
  list: async (project: string): Promise<string[]> => [...(await namesOf(table, project))].sort(),

  /** Puts a name back. */
  note: (project: string, tag: string): Promise<unknown> =>
    table.update({
      Key: tagNamesKey(project),
      UpdateExpression: 'ADD #names :tags',
      ExpressionAttributeNames: { '#names': 'names' },
      ExpressionAttributeValues: { ':tags': new Set([tag]) },
    }),

  /** Takes a name off; a link that gets the tag later notes it again. */
  async forget(project: string, tag: string): Promise<void> {
    await table.update({
      Key: tagNamesKey(project),
      UpdateExpression: 'DELETE #names :gone',
      ExpressionAttributeNames: { '#names': 'names' },
      ExpressionAttributeValues: { ':gone': new Set([tag]) },
    });
  },
});
