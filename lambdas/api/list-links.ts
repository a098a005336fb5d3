import type { HandlerInput } from '../../core/api/endpoint.ts';
import { getHistory } from '../../core/api/link-history.ts';
import { isWalk } from '../../core/api/link-query.ts';
import { listLinks } from '../../core/api/links.ts';
import { appStore } from '../../core/apps/app-store.ts';
import { type HistoryEntry, historyStore } from '../../core/history/history-store.ts';
import { linkStore } from '../../core/links/link-store.ts';
import { type CursorOwner, readCursor, writeCursor } from '../../core/links/list-cursor.ts';
import { showLinks } from '../../core/links/show-links.ts';
import { storedTags } from '../../core/links/tags.ts';
import { projectStore } from '../../core/projects/project-store.ts';
import type { Granted } from '../../core/stores.ts';
import { endpointOf, serveMethods } from '../frame/serve.ts';

const links = endpointOf(
  listLinks,
  { apps: appStore, links: linkStore, projects: projectStore },
  async (input, stores) => {
    const { query, caller, now, shortBase } = input;
    const [{ links, pagination }, project] = await Promise.all([
      isWalk(query) ? walked(input, stores) : paged(input, stores),
      stores.projects.get(caller.project),
    ]);
    return { data: await showLinks(links, { project, shortBase, now }, stores.apps), pagination };
  },
);

type ListInput = HandlerInput<typeof listLinks>;

const paged = async ({ query, caller }: ListInput, { links }: Granted<'links.page'>) => {
  const { page = 1, pageSize } = query;
  const { links: found, total } = await links.page(caller.project, page, pageSize);
  return { links: found, pagination: { page, pageSize, total, totalPages: Math.ceil(total / pageSize) } };
};

/** A page of a walk. Throws INVALID_PARAMETERS for a cursor of another walk. */
const walked = async ({ query, caller: { project }, now }: ListInput, { links }: Granted<'links.walk'>) => {
  const { tag, cursor, page: _, pageSize, ...others } = query;
  const filter = { ...others, ...(tag !== undefined && { tags: storedTags(tag.split(',')) }) };
  const owner: CursorOwner = { project, filter };
  const below = readCursor(owner, cursor);
  const { links: found, end } = await links.walk(project, filter, { below, pageSize, now });
  const nextCursor = end === undefined ? null : writeCursor(owner, end);
  return { links: found, pagination: { pageSize, nextCursor } };
};

type Shown = HistoryEntry & { readonly type: Exclude<HistoryEntry['type'], 'deleted'> };

const history = endpointOf(getHistory, { history: historyStore }, async ({ query, caller }, { history }) => {
  const { code, pageSize, cursor, id } = query;
  const link = { project: caller.project, code };
  // A link that is shown here has no entry `deleted`.
  if (id !== undefined) return { data: (await history.find(link, id)) as Shown, pagination: undefined };
  const owner = { project: link.project, filter: `history ${code}` };
  const { entries, end } = await history.page(link, { below: readCursor(owner, cursor), pageSize });
  const nextCursor = end === undefined ? null : writeCursor(owner, end);
  return { data: entries as Shown[], pagination: { pageSize, nextCursor } };
});

export const handler = serveMethods({ GET: links, [getHistory.path]: history });
