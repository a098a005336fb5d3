import { addressReader, decoded, type Hosts } from './addresses.ts';
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

/** The service's response; null if the link isn't live or is another project's, undefined if there is none yet. */
export type OpenResponse = (Pick<AppLink, 'link'> & Partial<AppLink>) | null | undefined;

/** The opening of a short URL, or without one, of an address that carries its destination. */
export const openingOf = (
  answer: OpenResponse,
  platform: 'ios' | 'android',
  { shortUrl = null, first = false }: Partial<Pick<Opening, 'shortUrl' | 'first'>> = {},
): Opening => {
  const { link = null, data = null, campaign = null, [platform]: app } = answer ?? {};
  const code = shortUrl && decoded(/([^/?]+)\/?(\?|$)/.exec(shortUrl)?.[1]);
  return {
    ...{ shortUrl, code, link, data, campaign, first },
    minVersion: app?.minVersion ?? null,
    resolved: answer !== undefined,
  };
};

export type Fetch = (address: string) => Promise<{ readonly status: number; json(): Promise<unknown> }>;

interface AskerSettings extends Hosts {
  readonly fetch?: Fetch | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Makes a function that calls the service with a timeout and never rejects. */
export const asker = (settings: AskerSettings) => {
  const { fetch: given, timeoutMs = 5000 } = settings;
  const { isOwn } = addressReader(settings);

  const request = async (address: string): Promise<OpenResponse> => {
    const answer = await (given ?? fetch)(address);
    if (answer.status !== 200) return answer.status === 429 || answer.status >= 500 ? undefined : null;
    // Captive portals respond with their own pages.
    const body = (await answer.json()) as AppLink;
    if (!body?.link) return undefined;
    return isOwn(body) ? body : null;
  };

  return (address: string): Promise<OpenResponse> => within(timeoutMs, () => request(address));
};
