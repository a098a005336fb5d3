import { withoutDirections } from '../base/shown-text.ts';
import { type Link, type LinkStatus, statusAt } from './link.ts';
import { addressesOf } from './payload.ts';

/** Which links of a project are wanted. */
export interface LinkFilter {
  /** Links that have all of these. */
  readonly tags?: readonly string[] | undefined;
  /** As it is shown. */
  readonly status?: Exclude<LinkStatus, 'DELETED'> | undefined;
  /** Looked for in code, name and every address, without case. */
  readonly search?: string | undefined;
  /** Inclusive, in UTC with milliseconds. */
  readonly createdAfter?: string | undefined;
  /** Exclusive. */
  readonly createdBefore?: string | undefined;
}

/** Ignores case, and marks that nobody sees. */
const plain = (text: string): string => withoutDirections(text).toLowerCase();

/** Looks for a text in a link's code, its name and every address: one in a rule may do harm, too. */
export const holdsText = (
  { code, name, payload }: Pick<Link, 'code' | 'name' | 'payload'>,
  text: string,
): boolean => {
  const wanted = plain(text);
  return [code, name, ...Object.values(addressesOf(payload))].some((value) =>
    plain(value ?? '').includes(wanted),
  );
};

/** Whether a link meets a filter's status and search; its place in the list tells its tags and times. */
export const meets = (link: Link, { status, search }: LinkFilter, now: Date): boolean =>
  (status === undefined || statusAt(link, now) === status) &&
  (search === undefined || holdsText(link, search));

/** The same for filters that want the same links. */
export const filterText = ({ tags = [], status, search, createdAfter, createdBefore }: LinkFilter): string =>
  JSON.stringify([[...new Set(tags)].sort(), status, search?.toLowerCase(), createdAfter, createdBefore]);
