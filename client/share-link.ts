import type { components } from './api-types.ts';
import { DynamicLinksError, type ErrorCode, type ErrorDetails } from './failures.ts';
import { within } from './within.ts';

/** The fields that a request may set, if the key's template allows them. */
export type ShareRequest = components['schemas']['ShareRequest'];

export interface SharedLink extends Readonly<components['schemas']['ShareLink']> {
  /** Whether this request made the link; false if an equal request did before. */
  readonly created: boolean;
}

interface ShareCall {
  readonly method: 'POST';
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** `fetch`, or a replacement. */
export type ShareFetch = (
  address: string,
  call: ShareCall,
) => Promise<{
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  json(): Promise<unknown>;
}>;

export interface ShareSettings {
  /** Address of the API. */
  readonly url: string;
  /** A publishable key of the project, `dlp_…`, which is no secret. */
  readonly publishableKey: string;
  readonly fetch?: ShareFetch | undefined;
}

/** Throws a TypeError without the key, which may be a secret one. */
export const requirePublishable = (key: unknown): void => {
  if (!/^dlp_[a-z\d]{40}$/i.test(key as string)) throw new TypeError("publishableKey isn't a dlp_ key");
};

/**
 * Makes a link from the key's template, or finds the one that an equal request made. Retries once, which is safe
 * because equal requests make one link.
 */
export const shareLink = async (
  { url, publishableKey, fetch: given }: ShareSettings,
  request: ShareRequest = {},
): Promise<SharedLink> => {
  requirePublishable(publishableKey);
  const address = `${url.replace(/(\/1\.0)?\/*$/, '')}/1.0/share-links`;
  const call: ShareCall = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': publishableKey },
    body: JSON.stringify(request),
  };
  for (let attempts = 1; ; attempts++) {
    const outcome: SharedLink | FailedAttempt = (await within(10_000, () =>
      outcomeOf(() => (given ?? fetch)(address, call)),
    )) ?? { code: 'TIMEOUT', message: 'No answer' };
    if ('shortUrl' in outcome) return outcome;
    const { message, status = 0, retryAfter } = outcome;
    const isPassing = !status || status >= 500 || (status === 429 && Number(retryAfter) <= 5);
    if (attempts > 1 || !isPassing) throw new DynamicLinksError(message, { ...outcome, attempts });
    await new Promise((done) => setTimeout(done, Math.min(retryAfter ?? 0.5, 5) * 1000));
  }
};

type FailedAttempt = Omit<ErrorDetails, 'attempts'> & { readonly message: string };

interface Body {
  readonly data?: components['schemas']['ShareLink'];
  readonly error?: {
    readonly code?: ErrorCode;
    readonly message?: string;
    readonly faults?: readonly { readonly path: string; readonly message: string }[];
  };
}

/** Never rejects. */
const outcomeOf = async (ask: () => ReturnType<ShareFetch>): Promise<SharedLink | FailedAttempt> => {
  try {
    const answer = await ask();
    const { status } = answer;
    const parsed = await answer.json().catch((cause) => {
      // Other errors are lost connections.
      if (cause?.name !== 'SyntaxError') throw cause;
    });
    const { data, error }: Body = Object(parsed);
    if (data?.shortUrl) return { ...data, created: status === 201 };
    const after = answer.headers.get('retry-after');
    const {
      code = 'UNEXPECTED_RESPONSE',
      message = `Unexpected: ${status}`,
      faults = [],
    }: NonNullable<Body['error']> = Object(error);
    return {
      ...{ status, code, message },
      ...(after && { retryAfter: Number(after) }),
      faults: faults.map(({ path: field, message }) => ({ field, message })),
    };
  } catch (cause) {
    return { code: 'CONNECTION_ERROR', message: `No answer: ${cause}`, cause };
  }
};
