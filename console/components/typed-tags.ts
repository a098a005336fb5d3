import { limits } from '../../core/base/limits.ts';
import { faultMessage } from '../../core/base/messages.ts';
import { storedTags, tagPattern } from '../../core/links/tags.ts';

export interface Typed {
  /** All values, including the valid ones that were typed. */
  readonly all: readonly string[];
  /** The invalid ones, which stay in the input. */
  readonly rest: string;
  readonly fault?: string;
}

/** A typed text as a tag or an id, with hyphens for blanks. */
export const hyphenate = (typed: string): string => typed.trim().replace(/\s+/g, '-').toLowerCase();

/** Adds typed tags, separated by commas, to the existing ones. */
export const takeTyped = (text: string, tags: readonly string[]): Typed => {
  const typed = text.split(',').map(hyphenate).filter(Boolean);
  const wrong = typed.filter((one) => !tagPattern.test(one));
  const all = storedTags([...tags, ...typed.filter((one) => tagPattern.test(one))]);
  const over = all.slice(limits.tagsPerLink);
  const faults = [
    ...(wrong.length > 0 ? [faultMessage('tag')] : []),
    ...(over.length > 0 ? [`at most ${limits.tagsPerLink} tags`] : []),
  ];
  return {
    all: all.slice(0, limits.tagsPerLink),
    rest: [...wrong, ...over].join(', '),
    ...(faults.length > 0 && { fault: faults.join('; ') }),
  };
};
