import { type Link, type LinkStatus, statusAt } from './link.ts';

/** Which links of a project are wanted. */
export interface LinkFilter {
  /** Links that have all of these. */
  readonly tags?: readonly string[] | undefined;
  /** As it is shown. */
  readonly status?: Exclude<LinkStatus, 'DELETED'> | undefined;
  /** Looked for in code, name and destination, without case. */
  readonly search?: string | undefined;
  /** Inclusive, in UTC with milliseconds. */
  readonly createdAfter?: string | undefined;
  /** Exclusive. */
  readonly createdBefore?: string | undefined;
}

const holdsText = ({ code, name, payload }: Pick<Link, 'code' | 'name' | 'payload'>, text: string) =>
  [code, name, payload.link].some((value) => value?.toLowerCase().includes(text.toLowerCase()));

/** Whether a link meets a filter, but for what its place tells: tags and times. */
export const meets = (link: Link, { status, search }: LinkFilter, now: Date): boolean =>
  (status === undefined || statusAt(link, now) === status) &&
  (search === undefined || holdsText(link, search));

/** The same for filters that want the same links. */
export const filterText = ({ tags = [], status, search, createdAfter, createdBefore }: LinkFilter): string =>
  JSON.stringify([[...new Set(tags)].sort(), status, search?.toLowerCase(), createdAfter, createdBefore]);
