import { parseHttpUrl } from '../destinations/web-address.ts';

/** What a template lets a request change in its address. */
export interface AddressAllowance {
  /** A path below the template's. */
  readonly path: boolean;
  /** Names of parameters; `true` means any. */
  readonly query: readonly string[] | true;
  readonly fragment: boolean;
}

/** Names in `faultMessages`. */
export type AddressFault =
  | 'rawBackslash'
  | 'otherOrigin'
  | 'hostDot'
  | 'pathNotBelow'
  | 'pathSegment'
  | 'pathFixed'
  | 'parameterFixed'
  | 'parameterTwice'
  | 'parameterRefused'
  | 'fragmentFixed';

/** The parts of an address as the URL standard writes them, except that no part has its separator. */
const partsOf = (url: URL) => ({
  path: url.pathname,
  parameters: url.search === '' ? [] : url.search.slice(1).split('&'),
  fragment: url.hash.slice(1),
});

/**
 * The address that a share link leads to, as the URL standard writes it: the template's address, with what the request
 * adds to it, if it has an address. Both must be valid destinations. A parsed address is compared, never the text, so that what
 * is judged is what browsers open.
 */
export const addressBelow = (
  template: string,
  request: string | undefined,
  allowed: AddressAllowance,
): { readonly address: string } | { readonly fault: AddressFault; readonly name?: string } => {
  // Other programs read these characters differently from browsers.
  if (request !== undefined && /[\\\t\r\n]/.test(request)) return { fault: 'rawBackslash' };
  const [own, url] = [parseHttpUrl(template), parseHttpUrl(request ?? template)];
  if (own?.origin !== url?.origin || !own || !url) return { fault: 'otherOrigin' };
  if (url.href !== own.href && url.hostname.endsWith('.')) return { fault: 'hostDot' };
  const [fixed, given] = [partsOf(own), partsOf(url)];
  const path = pathBelow(fixed.path, given.path, allowed.path);
  if ('fault' in path) return path;
  const query = queryBelow(fixed.parameters, given.parameters, allowed.query);
  if ('fault' in query) return query;
  const keepsFragment = given.fragment === '' || given.fragment === fixed.fragment;
  if (!keepsFragment && !allowed.fragment) return { fault: 'fragmentFixed' };
  const fragment = given.fragment || fixed.fragment;
  const parameters = [...fixed.parameters, ...query.added].join('&');
  return {
    address: `${own.origin}${path.path}${parameters && `?${parameters}`}${fragment && `#${fragment}`}`,
  };
};

type Refusal = { readonly fault: AddressFault; readonly name?: string };

const pathBelow = (
  fixed: string,
  given: string,
  mayGoBelow: boolean,
): Refusal | { readonly path: string } => {
  const base = fixed.replace(/\/$/, '');
  const isSame = given === fixed || given.replace(/\/$/, '') === base;
  if (!mayGoBelow) return isSame ? { path: fixed } : { fault: 'pathFixed' };
  if (isSame) return { path: given };
  if (!given.startsWith(`${base}/`)) return { fault: 'pathNotBelow' };
  const segments = given
    .slice(base.length + 1)
    .replace(/\/$/, '')
    .split('/');
  return segments.every(isPlainSegment) ? { path: given } : { fault: 'pathSegment' };
};

/** Whether no program could take a segment for several, for a parent, or for something else once it has decoded it. */
const isPlainSegment = (segment: string): boolean => {
  let text: string;
  try {
    text = decodeURIComponent(segment);
  } catch {
    return false;
  }
  const { length } = [...text];
  return length >= 1 && length <= 255 && !/[/\\;%\p{Cc}]/u.test(text) && text !== '.' && text !== '..';
};

/** A parameter's decoded name; undefined for an empty parameter. */
const nameOf = (parameter: string): string | undefined => [...new URLSearchParams(parameter).keys()][0];

const queryBelow = (
  fixed: readonly string[],
  given: readonly string[],
  allowed: AddressAllowance['query'],
): Refusal | { readonly added: readonly string[] } => {
  // A request leaves the template's parameters out, or begins with all of them as they are.
  const repeats = fixed.every((parameter, place) => given[place] === parameter);
  const added = repeats ? given.slice(fixed.length) : given;
  const taken = new Set(fixed.map((parameter) => nameOf(parameter)?.toLowerCase()));
  const seen = new Set<string>();
  for (const name of added.map(nameOf)) {
    // Two ampersands in a row, which mean nothing.
    if (name === undefined && (allowed === true || allowed.length > 0)) continue;
    if (name === undefined) return { fault: 'parameterRefused', name: '' };
    if (taken.has(name.toLowerCase())) return { fault: 'parameterFixed', name };
    if (seen.has(name)) return { fault: 'parameterTwice', name };
    if (allowed !== true && !allowed.includes(name)) return { fault: 'parameterRefused', name };
    seen.add(name);
  }
  return { added };
};
