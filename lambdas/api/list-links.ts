import type { HandlerInput } from '../../core/api/endpoint.ts';
import { isWalk } from '../../core/api/link-query.ts';
import { listLinks } from '../../core/api/links.ts';
import { appStore } from '../../core/apps/app-store.ts';
import { refuseFaults } from '../../core/base/failure.ts';
import { fault } from '../../core/base/messages.ts';
import { namedApps } from '../../core/links/link.ts';
import { linkStore } from '../../core/links/link-store.ts';
import { type CursorOwner, readCursor, writeCursor } from '../../core/links/list-cursor.ts';
import { presentLink, withApps } from '../../core/links/shown-link.ts';
import { storedTags } from '../../core/links/tags.ts';
import { projectStore } from '../../core/projects/project-store.ts';
import type { Granted } from '../../core/stores.ts';
import { serve } from '../frame/serve.ts';

export const handler = serve(
  listLinks,
  { apps: appStore, links: linkStore, projects: projectStore },
  async (input, stores) => {
    const { query, caller, now, shortBase } = input;
    const [{ links, pagination }, project] = await Promise.all([
      isWalk(query) ? walked(input, stores) : paged(input, stores),
      stores.projects.get(caller.project),
    ]);
    const named = links.flatMap(({ link }) => namedApps(link.payload).map(({ id }) => id));
    const existing = await stores.apps.existing(caller.project, named);
    const data = links.map(({ link, figures }) =>
      presentLink(withApps(link, existing), figures, project, { shortBase, now }),
    );
    return { data, pagination };
  },
);

type ListInput = HandlerInput<typeof listLinks>;

/** One page by its number. */
const paged = async ({ query, caller }: ListInput, { links }: Granted<'links.page'>) => {
  const { page = 1, pageSize } = query;
  const { links: found, total } = await links.page(caller.project, page, pageSize);
  return { links: found, pagination: { page, pageSize, total, totalPages: Math.ceil(total / pageSize) } };
};

/** One page of a walk. Throws INVALID_PARAMETERS for a cursor of another walk. */
const walked = async ({ query, caller: { project }, now }: ListInput, { links }: Granted<'links.walk'>) => {
  const { tag, cursor, page: _, pageSize, ...others } = query;
  const filter = { ...others, ...(tag !== undefined && { tags: storedTags(tag.split(',')) }) };
  const owner: CursorOwner = { project, filter };
  const below = cursor ? readCursor(owner, cursor) : undefined;
  if (cursor && below === undefined) refuseFaults([fault('cursor', 'cursor')], 'INVALID_PARAMETERS');
  const found = await links.walk(project, filter, { below, pageSize, now });
  const nextCursor = found.end === undefined ? null : writeCursor(owner, found.end);
  return { links: found.links, pagination: { pageSize, nextCursor } };
};
