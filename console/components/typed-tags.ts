import { limits } from '../../core/base/limits.ts';
import { faultMessage } from '../../core/base/messages.ts';
import { storedTags, tagPattern } from '../../core/links/tags.ts';

export interface TypedTags {
  /** All tags, with what was typed and can be one. */
  readonly tags: readonly string[];
  /** What can't be, which stays in the input. */
  readonly rest: string;
  readonly fault?: string;
}

/** A tag or an id of what people type: hyphens stand for blanks. */
export const hyphened = (typed: string): string => typed.trim().replace(/\s+/g, '-').toLowerCase();

/** Takes what was typed, with commas between, into the tags that are there. */
export const takeTyped = (text: string, tags: readonly string[]): TypedTags => {
  const typed = text.split(',').map(hyphened).filter(Boolean);
  const wrong = typed.filter((one) => !tagPattern.test(one));
  const all = storedTags([...tags, ...typed.filter((one) => tagPattern.test(one))]);
  const over = all.slice(limits.tagsPerLink);
  const faults = [
    ...(wrong.length > 0 ? [faultMessage('tag')] : []),
    ...(over.length > 0 ? [`at most ${limits.tagsPerLink} tags`] : []),
  ];
  return {
    tags: all.slice(0, limits.tagsPerLink),
    rest: [...wrong, ...over].join(', '),
    ...(faults.length > 0 && { fault: faults.join('; ') }),
  };
};
