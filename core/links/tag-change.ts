import { refuseFaults } from '../base/failure.ts';
import { limits } from '../base/limits.ts';
import { fault } from '../base/messages.ts';

/** Tags to add to a link, and tags to remove. */
export interface TagChange {
  readonly add?: readonly string[] | undefined;
  readonly remove?: readonly string[] | undefined;
}

/** A link's tags after a change. Throws VALIDATION_ERROR if there are too many. */
export const changedTags =
  ({ add = [], remove = [] }: TagChange) =>
  (before: readonly string[]): readonly string[] => {
    const tags = [...new Set([...before, ...add])].filter((tag) => !remove.includes(tag));
    const { tagsPerLink: count } = limits;
    if (tags.length > count) refuseFaults([fault('tags', 'tooManyItems', { count })]);
    return tags;
  };
