/** Characters that no app identifier contains, but every store address does. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
export const notInIdentifiers = /[\x00-\x1f\x7f-\x9f\s/:?#@]/;
