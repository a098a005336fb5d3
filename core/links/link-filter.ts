import { withoutDirections } from '../base/shown-text.ts';
import { type Link, statusAt } from './link.ts';
import { addressesOf } from './payload.ts';

/** The statuses to filter by: those shown in responses, and `BLOCKED` for links that an operator has blocked. */
export const listedStatuses = ['ACTIVE', 'PAUSED', 'EXPIRED', 'BLOCKED'] as const;

export interface LinkFilter {
  /** Tags that a link must all have. */
  readonly tags?: readonly string[] | undefined;
  readonly status?: (typeof listedStatuses)[number] | undefined;
  /** Whether blocked links have no other status, as in operators' lists. @default false */
  readonly blockedApart?: boolean;
  /** Words to search for in code, name and every address, ignoring case. */
  readonly search?: string | undefined;
  /** Earliest creation time, inclusive, in UTC with milliseconds. */
  readonly createdAfter?: string | undefined;
  /** End of the creation times, exclusive. */
  readonly createdBefore?: string | undefined;
}

/** A text in lower case without invisible marks. */
const plain = (text: string): string => withoutDirections(text).toLowerCase();

/** The words of a text. Punctuation inside a word, as in an address or a code, doesn't separate words. */
const wordsOf = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((word) => word.replace(/^\p{P}+|\p{P}+$/gu, ''))
    .filter(Boolean);

/**
 * Whether each word of a text is in a link's code, name or an address; harmful addresses may also be in rules. A text without
 * words is searched for as it is.
 */
export const holdsText = (
  { code, name, payload }: Pick<Link, 'code' | 'name' | 'payload'>,
  text: string,
): boolean => {
  const wanted = plain(text);
  const words = wordsOf(wanted);
  const searched = [code, name, ...Object.values(addressesOf(payload))].map((value) => plain(value ?? ''));
  return (words.length > 0 ? words : [wanted]).every((word) =>
    searched.some((value) => value.includes(word)),
  );
};

/** Whether a link meets a filter's status and search. Tags and times are checked by its place in the list. */
export const meets = (link: Link, filter: LinkFilter, now: Date): boolean =>
  hasStatus(link, filter, now) && (filter.search === undefined || holdsText(link, filter.search));

const hasStatus = (link: Link, { status, blockedApart = false }: LinkFilter, now: Date): boolean => {
  if (status === undefined) return true;
  const isBlocked = link.blockedAt !== undefined;
  if (status === 'BLOCKED' || (isBlocked && blockedApart)) return isBlocked && status === 'BLOCKED';
  return statusAt(link, now) === status;
};

/** A text that identifies a filter: equal filters have equal texts. */
export const filterText = ({ tags = [], status, search, createdAfter, createdBefore }: LinkFilter): string =>
  JSON.stringify([[...new Set(tags)].sort(), status, search?.toLowerCase(), createdAfter, createdBefore]);
