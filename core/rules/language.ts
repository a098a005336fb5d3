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

/**
 * Whether a visitor's language is in a rule's range: equal to it or more specific, both in their canonical form (`iw` is
 * `he`, `zh-TW` is `zh-Hant`).
 */
export const isInRange = (language: string, range: string): boolean => {
  const wanted = range.toLowerCase();
  if (language === wanted || language.startsWith(`${wanted}-`)) return true;
  const [theirs, ours] = [canonicalTag(language), canonicalTag(wanted)];
  if (!theirs || !ours || !isSame(theirs.language, ours.language)) return false;
  const likely = theirs.maximize();
  const script = ours.script ?? (ours.region && ours.maximize().script);
  if (script !== undefined && script !== likely.script) return false;
  // A script stands for its likely region: zh-Hant for zh-TW. A language alone doesn't.
  const region = theirs.region ?? (theirs.script && likely.region);
  if (ours.region !== undefined && ours.region !== region) return false;
  return variants(ours).every((variant) => variants(theirs).includes(variant));
};

/** A tag in its canonical form; undefined if it isn't one. */
export const canonicalTag = (tag: string): Intl.Locale | undefined => {
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined;
  }
};

/** Whether languages are the same, or one is Norwegian and the other one of its written forms. */
const isSame = (one: string, other: string): boolean =>
  one === other || [`${one} ${other}`, `${other} ${one}`].some((pair) => /^no (nb|nn)$/.test(pair));

const variants = ({ baseName, language, script, region }: Intl.Locale): string[] =>
  baseName.split('-').filter((part) => ![language, script, region].includes(part));
