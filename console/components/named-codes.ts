import { canonicalTag } from '../../core/rules/language.ts';
import type { Typed } from './typed-tags.ts';

type Kind = 'countries' | 'languages';

const types = { countries: 'region', languages: 'language' } as const;

/** Regions that Intl names, and that are no countries of ISO 3166. */
const noCountries = 'AC CP CQ DG EA EU EZ IC QO TA UN XA XB XX ZZ'.split(' ');

const alphabet = [...'abcdefghijklmnopqrstuvwxyz'];

/** The canonical form of a code; undefined if there is no such country or language. */
const canonical = (kind: Kind, typed: string): string | undefined => {
  if (kind === 'languages') {
    const tag = /^[a-z]{2,3}(-[a-z\d]{2,8})*$/i.test(typed) ? canonicalTag(typed)?.baseName : undefined;
    return tag && nameOfCode(kind, tag) !== tag ? tag : undefined;
  }
  const { region } = /^[a-z]{2}$/i.test(typed) ? (canonicalTag(`und-${typed}`) ?? {}) : {};
  return region && !noCountries.includes(region) && nameOfCode(kind, region) !== region ? region : undefined;
};

/** A code's name, or the code if it has none. */
export const nameOfCode = (kind: Kind, code: string): string => {
  try {
    return new Intl.DisplayNames('en', { type: types[kind] }).of(code) ?? code;
  } catch {
    return code;
  }
};

const known = new Map<Kind, readonly (readonly [code: string, name: string])[]>();

/** The codes of two letters, each with its name, by name. */
export const knownCodes = (kind: Kind) => {
  const before = known.get(kind);
  if (before) return before;
  const codes = alphabet.flatMap((one) => alphabet.map((other) => canonical(kind, one + other) ?? ''));
  const named = [...new Set(codes)].filter(Boolean).map((code) => [code, nameOfCode(kind, code)] as const);
  const sorted = named.sort(([, one], [, other]) => one.localeCompare(other));
  known.set(kind, sorted);
  return sorted;
};

/** The code of a typed name or code. */
export const codeOf = (kind: Kind, typed: string): string | undefined => {
  const wanted = typed.trim().toLowerCase();
  return knownCodes(kind).find(([, name]) => name.toLowerCase() === wanted)?.[0] ?? canonical(kind, wanted);
};

/** Adds the codes of typed names or codes, separated by commas, to the existing ones. */
export const takeCodes =
  (kind: Kind) =>
  (text: string, codes: readonly string[]): Typed => {
    const typed = text.split(/[,;]/).map((one) => one.trim());
    const wrong = typed.filter((one) => one !== '' && !codeOf(kind, one));
    const what = kind === 'countries' ? 'country' : 'language';
    return {
      all: [...new Set([...codes, ...typed.flatMap((one) => codeOf(kind, one) ?? [])])],
      rest: wrong.join(', '),
      ...(wrong.length > 0 && { fault: `There is no ${what} ${wrong.join(' or ')}` }),
    };
  };
