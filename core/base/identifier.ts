/** What no store has in the identifier of an app, but every address of a store has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
export const notInIdentifiers = /[\x00-\x1f\x7f-\x9f\s/:?#@]/;
