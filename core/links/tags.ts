import { limits } from '../base/limits.ts';

const one = `[A-Za-z0-9][A-Za-z0-9._:/-]{0,${limits.tag - 1}}`;

export const tagPattern = new RegExp(`^${one}$`);

/** Tags separated by commas, as in a query. */
export const tagListPattern = new RegExp(`^${one}(,${one}){0,${limits.tagsPerLink - 1}}$`);

/** Tags in stored form: in lower case, without repeats, in order. */
export const storedTags = (tags: readonly string[]): string[] => [
  ...new Set(tags.map((tag) => tag.toLowerCase())),
];

export const hasTags = (link: { readonly tags?: readonly string[] | undefined }, wanted: readonly string[]) =>
  wanted.every((tag) => link.tags?.includes(tag));
