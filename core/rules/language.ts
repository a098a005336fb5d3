/** A part of Accept-Language by RFC 9110, 12.5.4: a language or `*`, with its weight. */
const part =
  /^[ \t]*(\*|[a-z]{1,8}(?:-[a-z\d]{1,8})*)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?[ \t]*$/i;

/**
 * A visitor's accepted languages in lower case, by descending weight, then in order. `*`, languages with q=0 and parts
 * that RFC 9110 doesn't allow are left out.
 */
export const wantedLanguages = (acceptLanguage: string | undefined): string[] =>
  (acceptLanguage?.split(',') ?? [])
    .map((text) => {
      const [, language = '*', q = '1'] = part.exec(text) ?? [];
      return { language: language.toLowerCase(), q: Number(q) };
    })
    .filter(({ language, q }) => language !== '*' && q > 0)
    .sort((one, other) => other.q - one.q)
    .map(({ language }) => language);

/** The visitor's preferred language, in lower case. */
export const preferredLanguage = (acceptLanguage: string | undefined): string | undefined =>
  wantedLanguages(acceptLanguage)[0];

/** Whether a language equals a range or begins with it and a hyphen (RFC 4647, 3.3.1). */
export const isInRange = (language: string, range: string): boolean => {
  const wanted = range.toLowerCase();
  return language === wanted || language.startsWith(`${wanted}-`);
};
