import * as z from 'zod';
import { shortBaseOf } from '../../../core/projects/project.ts';
import { findProject } from '../../projects.ts';
import { call } from '../call.ts';
import { type ListedLink, listed } from '../link-index.ts';
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
  /** Looked for in code, name and destination, in any case. */
  q: z.string().default(''),
  status: z.enum(['', 'ACTIVE', 'PAUSED', 'EXPIRED', 'BLOCKED']).default(''),
  sort: z.enum(['', 'oldest', 'clicks', 'code', 'name']).default(''),
  page: z.number().int().min(1).default(1),
});

export const linkListCalls = {
  /** A page of a project's links. Newest first and without a filter it reads no more than the page. */
  links: call(listing, async (input, { target, indexes, now, progress }) => {
    const owner = await findProject(target, input.project);
    const base = shortBaseOf(owner, target.shortBase);
    const shown = (links: readonly ListedLink[], total: number, readAt?: Date) => ({
      links: links.map((link) => ({ ...link, shortUrl: `${base}/${link.code}` })),
      total,
      pageSize,
      isFiltered: input.q !== '' || input.status !== '',
      readAt: readAt?.toISOString(),
    });
    if (input.q === '' && input.status === '' && input.sort === '') {
      const { links, total } = await target.stores.links.page(input.project, input.page, pageSize);
      return shown(
        links.map((link) => listed(link, now)),
        total,
      );
    }
    const { links, readAt } = await indexes.of(input.project, progress);
    const found = ordered(
      links.map((link) => listed(link, now)).filter((link) => matches(link, input)),
      input.sort,
    );
    const first = (input.page - 1) * pageSize;
    return shown(found.slice(first, first + pageSize), found.length, readAt);
  }),
};

const matches = (link: ListedLink, { q, status }: z.output<typeof listing>): boolean => {
  if (status !== '' && (link.blocked ? 'BLOCKED' : link.status) !== status) return false;
  const text = q.toLowerCase();
  return [link.code, link.name, link.destination].some((field) => field.toLowerCase().includes(text));
};

const ordered = (links: ListedLink[], sort: z.output<typeof listing>['sort']): ListedLink[] => {
  if (sort === '') return links;
  return sort === 'oldest' ? links.reverse() : links.sort(orders[sort]);
};
