import * as z from 'zod';
import { readBody } from '../../../core/api/request.ts';
import { Failure } from '../../../core/base/failure.ts';
import { limits } from '../../../core/base/limits.ts';
import { createEach } from '../../../core/links/bulk-creation.ts';
import { holdsText } from '../../../core/links/link-filter.ts';
import type { LinkWithFigures } from '../../../core/links/link-reads.ts';
import { linkDraft, requestedTags } from '../../../core/links/link-schema.ts';
import { linkCode } from '../../../core/links/stored-link-schema.ts';
import { shortBaseOf } from '../../../core/projects/project.ts';
import { OperatorError } from '../../base/operator-error.ts';
import { createLink } from '../../links/link-edits.ts';
import { setLinkStatus } from '../../links/links.ts';
import { tagLink } from '../../links/tags.ts';
import { findProject } from '../../projects/projects.ts';
import type { Target } from '../../target/target.ts';
import { call } from '../call.ts';
import { type ListedLink, listed, type Watch } from '../link-index.ts';
import { project } from './projects.ts';

const pageSize = 50;

const orders = {
  oldest: () => 0,
  clicks: (a: ListedLink, b: ListedLink) => b.clicks - a.clicks,
  code: (a: ListedLink, b: ListedLink) => collator.compare(a.code, b.code),
  // Links without a name come last.
  name: (a: ListedLink, b: ListedLink) =>
    Number(a.name === '') - Number(b.name === '') || collator.compare(a.name, b.name),
};
const collator = new Intl.Collator('en', { numeric: true });

const listing = z.object({
  project,
  /** Looked for in code, name and every address, in any case. */
  q: z.string().default(''),
  /** Links that have all of these. */
  tags: z.array(z.string().max(limits.tag).toLowerCase()).default([]),
  status: z.enum(['', 'ACTIVE', 'PAUSED', 'EXPIRED', 'BLOCKED']).default(''),
  sort: z.enum(['', 'oldest', 'clicks', 'code', 'name']).default(''),
  page: z.number().int().min(1).default(1),
});

/** What became of one link of many. */
type CreatedOrNot = { readonly code: string; readonly shortUrl: string } | { readonly reason: string };

export const linkListCalls = {
  /** A page of a project's links. Newest first and without a filter it reads no more than the page. */
  links: call(listing, async (input, { target, indexes, now, progress, signal }) => {
    const owner = await findProject(target, input.project);
    const base = shortBaseOf(owner, target.shortBase);
    const shown = (links: readonly ListedLink[], total: number, readAt?: Date) => ({
      links: links.map((link) => ({ ...link, shortUrl: `${base}/${link.code}` })),
      total,
      pageSize,
      isFiltered: input.q !== '' || input.status !== '' || input.tags.length > 0,
      readAt: readAt?.toISOString(),
    });
    if (input.q === '' && input.status === '' && input.sort === '' && input.tags.length === 0) {
      const { links, total } = await target.stores.links.page(input.project, input.page, pageSize);
      return shown(
        links.map((link) => listed(link, now)),
        total,
      );
    }
    const pageOf = (links: readonly LinkWithFigures[], readAt?: Date) => {
      const found = ordered(
        links.flatMap((one) => {
          const row = listed(one, now);
          return matches(row, one, input) ? [row] : [];
        }),
        input.sort,
      );
      const first = (input.page - 1) * pageSize;
      return shown(found.slice(first, first + pageSize), found.length, readAt);
    };
    if (input.tags.length > 0) return pageOf(await taggedLinks(target, input));
    // Newest first, what is found stays where it is; in any other order the last link may be the first.
    const isSteady = input.sort === '' && input.page === 1;
    const watch: Watch = (done, links) => progress({ ...done, ...(isSteady && { found: pageOf(links) }) });
    const { links, readAt } = await indexes.of(input.project, watch, signal);
    return pageOf(links, readAt);
  }),

  /** The tags of a project, by name. */
  tags: call(z.object({ project }), (input, { target }) => target.stores.tags.list(input.project)),

  /** Creates links as the API's bulk call does: each may fail without the others. */
  createLinks: call(
    z.object({ project, links: z.array(z.unknown()).min(1).max(limits.bulkLinks) }),
    async (input, { target, indexes, signal }): Promise<CreatedOrNot[]> => {
      const owner = await findProject(target, input.project);
      const base = shortBaseOf(owner, target.shortBase);
      const create = async (draft: unknown) => {
        signal.throwIfAborted();
        return createLink(target, input.project, readBody(linkDraft, draft, 'link'));
      };
      const until = Number.POSITIVE_INFINITY;
      const results = await createEach(input.links, { create, until, logUnforeseen: console.error });
      indexes.forget(input.project);
      return results.map((result) =>
        result.success
          ? { code: result.link.code, shortUrl: `${base}/${result.link.code}` }
          : { reason: result.error.message },
      );
    },
  ),

  /** Pauses or activates links, or gives them tags and takes others; resolves to why some were left as they are. */
  changeLinks: call(
    z.object({
      project,
      codes: z.array(linkCode).min(1),
      status: z.enum(['ACTIVE', 'PAUSED']).optional(),
      add: requestedTags.default([]),
      remove: requestedTags.default([]),
    }),
    async ({ project: id, codes, status, ...tags }, { target, indexes, progress, signal }) => {
      const failed: { code: string; reason: string }[] = [];
      for (const [done, code] of codes.entries()) {
        signal.throwIfAborted();
        progress({ done, of: codes.length });
        try {
          if (status) await setLinkStatus(target, id, code, status);
          else await tagLink(target, { project: id, code }, tags);
          await indexes.refresh(id, code);
        } catch (error) {
          if (!(error instanceof OperatorError || error instanceof Failure)) throw error;
          failed.push({ code, reason: error.message });
        }
      }
      return { changed: codes.length - failed.length, failed };
    },
  ),
};

/** Tags find their links by key, so no other link is read. */
const taggedLinks = async (
  { stores }: Target,
  { project: id, tags }: z.output<typeof listing>,
): Promise<LinkWithFigures[]> => {
  const links: LinkWithFigures[] = [];
  for await (const portion of stores.links.all(id, tags)) links.push(...portion);
  return links;
};

const matches = (
  { blocked, status: shown }: ListedLink,
  { link }: LinkWithFigures,
  { q, status }: z.output<typeof listing>,
): boolean => (status === '' || (blocked ? 'BLOCKED' : shown) === status) && holdsText(link, q);

const ordered = (links: ListedLink[], sort: z.output<typeof listing>['sort']): ListedLink[] => {
  if (sort === '') return links;
  return sort === 'oldest' ? links.reverse() : links.sort(orders[sort]);
};
