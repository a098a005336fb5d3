import { addressReader, type Hosts } from './addresses.ts';
import type { AppLink } from './app.ts';
import { within } from './within.ts';

/** A link that opened the app. */
export interface Opening {
  /** The short URL as it was opened; null for an address that carries its destination. */
  readonly shortUrl: string | null;
  readonly code: string | null;
  /** The destination; null if the link isn't live, or isn't resolved yet. */
  readonly link: string | null;
  readonly data: Readonly<Record<string, string>> | null;
  readonly campaign: Readonly<Record<string, string>> | null;
  /** The lowest version that the link's owner entered for this platform. */
  readonly minVersion: string | null;
  /** Whether this is the deferred link, which led to the installation. */
  readonly first: boolean;
  /** False if the service didn't answer in time: `retry` sends it again. */
  readonly resolved: boolean;
}

/** The fields of an unresolved opening. */
export const unknown = {
  shortUrl: null,
  code: null,
  link: null,
  data: null,
  campaign: null,
  minVersion: null,
  first: false,
} as const;

/** The service's response; null if the link isn't live or is another project's, undefined if there is none yet. */
export type OpenAnswer = AppLink | null | undefined;

export const openingOf = (
  { shortUrl, first }: Pick<Opening, 'first'> & { readonly shortUrl: string },
  answer: OpenAnswer,
  platform: 'ios' | 'android',
): Opening => {
  const [path = ''] = shortUrl.split('?');
  const known = { ...unknown, shortUrl, code: codeOf(path), first };
  if (!answer) return { ...known, resolved: answer === null };
  const { link, data, campaign } = answer;
  const minVersion = answer[platform]?.minVersion ?? null;
  return { ...known, link, data: data ?? null, campaign, minVersion, resolved: true };
};

const codeOf = (path: string): string => decodeURIComponent(/([^/]+)\/?$/.exec(path)?.[1] ?? '');

export type Fetch = (address: string) => Promise<{ readonly status: number; json(): Promise<unknown> }>;

interface AskerSettings extends Hosts {
  readonly fetch?: Fetch | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Makes a function that calls the service with a timeout and never rejects. */
export const asker = (settings: AskerSettings) => {
  const { fetch: given, timeoutMs = 5000 } = settings;
  const { isOwn } = addressReader(settings);

  const request = async (address: string): Promise<OpenAnswer> => {
    const answer = await (given ?? fetch)(address);
    if (answer.status !== 200) return answer.status === 429 || answer.status >= 500 ? undefined : null;
    // Captive portals respond with their own pages.
    const body = (await answer.json()) as AppLink;
    if (typeof body?.link !== 'string') return undefined;
    return isOwn(body) ? body : null;
  };

  return (address: string): Promise<OpenAnswer> => within(timeoutMs, () => attempt(() => request(address)));
};

/** The result of a function; undefined if it fails. */
export const attempt = async <Result>(act: () => Result | Promise<Result>): Promise<Result | undefined> => {
  try {
    return await act();
  } catch {
    return undefined;
  }
};
