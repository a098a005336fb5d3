/** A part of Accept-Language by RFC 9110, 12.5.4: a language or `*`, and how much it is wanted. */
const part =
  /^[ \t]*(\*|[a-z]{1,8}(?:-[a-z\d]{1,8})*)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?[ \t]*$/i;

/**
 * The language that a visitor wants most, in lower case: of equals the first. Undefined if the header names none; `*`,
 * languages with q=0 and parts that RFC 9110 doesn't allow are left out.
 */
export const preferredLanguage = (acceptLanguage: string | undefined): string | undefined => {
  let preferred: string | undefined;
  let most = 0;
  for (const text of acceptLanguage?.split(',') ?? []) {
    const [, language, q = '1'] = part.exec(text) ?? [];
    if (language === undefined || language === '*' || Number(q) <= most) continue;
    most = Number(q);
    preferred = language.toLowerCase();
  }
  return preferred;
};

/** Whether a language equals a range or begins with it and a hyphen (RFC 4647, 3.3.1). */
export const isInRange = (language: string, range: string): boolean => {
  const wanted = range.toLowerCase();
  return language === wanted || language.startsWith(`${wanted}-`);
};
