import { type LinkId, linkKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import type { Link } from './link.ts';
import { livingLink, revisionOf } from './link-reads.ts';
import { notingTags } from './link-tags.ts';
import { type Change, movedTags, replaceContent } from './link-writes.ts';

/**
 * Changes the tags of a link, in whatever state it is: they lead nobody anywhere. Changes that meet are made one after the
 * other. Throws LINK_NOT_FOUND, and VALIDATION_ERROR if the project has no room for further tags.
 */
export const retag = (
  table: Table,
  { project, code }: LinkId,
  choose: (tags: readonly string[]) => readonly string[],
  change: Change,
): Promise<Link> =>
  untilMet(async () => {
    const item = await table.get(linkKey(project, code));
    const link = livingLink(item);
    const tags = choose(link.tags ?? []);
    if (tags.join() === (link.tags ?? []).join()) return link;
    const next: Link = { ...link, tags: tags.length > 0 ? tags : undefined };
    const content = replaceContent(next, revisionOf(item), change, 'any');
    await notingTags(table, next, (noted) =>
      table.transact([...noted, { Update: content }, ...movedTags(link, next)]),
    );
    return next;
  });
