import * as z from 'zod';
import { limits } from '../base/limits.ts';
import { faultMessage } from '../base/messages.ts';
import { alsoNamed, notOffered, type OtherNames } from '../fields/other-names.ts';
import { timeInQuery } from '../fields/time-schema.ts';
import { listedStatuses } from '../links/link-filter.ts';
import { tagListPattern } from '../links/tags.ts';

/** A whole number in a query: only digits, without blanks or signs. */
export const wholeNumberInQuery = (min: number, max = 10 ** 15 - 1) =>
  z
    .string()
    .regex(/^\d{1,15}$/, faultMessage('notWhole'))
    .transform(Number)
    .pipe(z.number().int().min(min).max(max));

/** The parameters that select links. */
const filters = {
  tag: z.string().regex(tagListPattern, faultMessage('tagList')).toLowerCase().optional(),
  status: z.enum(listedStatuses).optional(),
  search: z.string().min(1).max(limits.search).optional(),
  createdAfter: timeInQuery.optional(),
  createdBefore: timeInQuery.optional(),
};

const walking = [...Object.keys(filters), 'cursor'] as const;

/** Other APIs' names for these parameters. */
const otherNames: OtherNames = [
  ...['limit', 'perPage', 'count', 'size'].map((name) => [name, 'pageSize'] as const),
  ...['q', 'query', 'text'].map((name) => [name, 'search'] as const),
  ...['tags', 'tagNames'].map((name) => [name, 'tag'] as const),
  ['state', 'status'],
  ...['sort', 'sortBy', 'order', 'orderBy'].map((name) => [name, notOffered] as const),
];

/** The query for a list of links: pages by number, or a walk by cursor. */
const query = z
  .object({
    page: wholeNumberInQuery(1).optional().meta({ default: 1 }),
    pageSize: wholeNumberInQuery(1, limits.pageSize.max).default(limits.pageSize.default),
    ...filters,
    cursor: z.string().optional(),
  })
  .superRefine((query, context) => {
    if (query.page === undefined || !isWalk(query)) return;
    context.addIssue({ code: 'custom', path: ['page'], message: faultMessage('pageOfWalk') });
  });

export const linkQuery = alsoNamed(query, otherNames);

type Query = Readonly<Record<string, unknown>>;

/** Whether a query asks for a walk. */
export const isWalk = (query: Query): boolean => walking.some((name) => query[name] !== undefined);
