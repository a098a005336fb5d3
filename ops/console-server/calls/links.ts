import * as z from 'zod';
import { readBody } from '../../../core/api/request.ts';
import { valueOrFailure } from '../../../core/base/failure.ts';
import { limits } from '../../../core/base/limits.ts';

import { listedStatuses, meets } from '../../../core/links/link-filter.ts';
import { linkOrders, sorted } from '../../../core/links/link-orders.ts';
import type { LinkWithAnalytics } from '../../../core/links/link-reads.ts';
import { linkDraft } from '../../../core/links/link-schema.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { addLinks } from '../../links/link-edits.ts';
import { shower } from '../../links/links.ts';
import { findProject } from '../../projects/projects.ts';
import { consoleCall } from '../call.ts';
import type { Watch } from '../link-index.ts';
import { project, projectCall } from './projects.ts';

const pageSize = 50;

const listing = z.object({
  project,
  /** Words to find in code, name and every address; case-insensitive. */
  search: z.string().default(''),
  /** Tags that a link must have, all of them. */
  tag: z.array(z.string().max(limits.tag).toLowerCase()).default([]),
  status: z.enum(listedStatuses).optional(),
  sort: z.enum(linkOrders).optional(),
  /** The page's number. */
  cursor: z.string().default(''),
});

type Listing = z.output<typeof listing>;

/** Each draft is parsed separately, so that an invalid one doesn't fail the others. */
const draft = z.unknown().transform((item) => valueOrFailure(() => readBody(linkDraft, item, 'link')));

export const linkListCalls = {
  /** A page of a project's links. Without a filter and order, only the page is read. */
  links: consoleCall(listing, async (input, { deployment, indexes, now, progress, signal }) => {
    const show = await shower(deployment, await findProject(deployment, input.project));
    const { search, status, sort, tag } = input;
    const page = Math.min(Math.max(1, Number.parseInt(input.cursor, 10) || 1), 1_000_000);
    const shown = async (links: readonly LinkWithAnalytics[], total: number, readAt?: Date) => ({
      links: await show(links),
      pagination: { page, pageSize, total, totalPages: Math.ceil(total / pageSize) },
      readAt: readAt?.toISOString(),
    });
    if (search === '' && !status && !sort && tag.length === 0) {
      const { links, total } = await deployment.stores.links.page(input.project, page, pageSize);
      return shown(links, total);
    }
    const pageOf = (links: readonly LinkWithAnalytics[], readAt?: Date) => {
      const found = sorted(
        links.filter((one) => matches(one, input, now)),
        sort,
        ({ link: { code, name }, analytics: { clicks } }) => ({ code, name, clicks }),
      );
      return shown(found.slice((page - 1) * pageSize, page * pageSize), found.length, readAt);
    };
    if (tag.length > 0) return pageOf(await taggedLinks(deployment, input));
    // In the order newest first, found links keep their places; in other orders, a later one may come first.
    const isSteady = !sort && page === 1;
    const watch: Watch = async (done, links) =>
      progress({ ...done, ...(isSteady && { found: await pageOf(links) }) });
    const { links, readAt } = await indexes.of(input.project, watch, signal);
    return pageOf(links, readAt);
  }),

  tags: projectCall(({ stores }, project) => stores.tags.list(project)),

  /** Creates links as the API's bulk call does: each may fail separately. */
  createLinks: consoleCall(
    z.object({ project, links: z.array(draft).min(1).max(limits.bulkLinks) }),
    async (input, { deployment, indexes, signal }) => {
      const owner = await findProject(deployment, input.project);
      const results = await addLinks(deployment, owner, input.links, signal);
      indexes.forget(input.project);
      return results;
    },
  ),
};

/** Reads only the links of the tags, by key. */
const taggedLinks = async ({ stores }: Deployment, { project: id, tag }: Listing) => {
  const links: LinkWithAnalytics[] = [];
  for await (const portion of stores.links.all(id, tag)) links.push(...portion);
  return links;
};

const matches = ({ link }: LinkWithAnalytics, { search, status }: Listing, now: Date): boolean =>
  meets(link, { search, status, blockedApart: true }, now);
