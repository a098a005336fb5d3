import { DynamicLinksError, readFailure } from './failures.ts';
import { isCreation, readRetryAfter, waitBeforeNext } from './retries.ts';

/** The options of a call. */
export interface CallOptions {
  /** The Idempotency-Key of a creation, which makes repeats safe for 24 hours. By default each call gets its own. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Timeout of one attempt in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

type QueryValue = string | number | boolean | readonly string[] | null | undefined;

/** The content of a call. Lists in the query are joined with commas. */
export interface RequestContent {
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly body?: unknown;
}

export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  /** The end of the hour in ISO 8601. */
  readonly reset: string;
}

/** A response of the service, whether the call succeeded or not. */
export interface ResponseFacts {
  readonly method: string;
  /** The path without `/1.0` and query. */
  readonly path: string;
  readonly status: number;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Duration of the attempt in milliseconds. */
  readonly ms: number;
  readonly rateLimit: RateLimit | undefined;
}

export interface Settings {
  /** Address of the API, with or without `/1.0`. Undefined, as from an unset variable, throws a TypeError. */
  readonly url: string | undefined;
  /** An API key of the project. */
  readonly key: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Timeout of one attempt in milliseconds: 30,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** The most repeats of a failed call: 2 by default. */
  readonly retries?: number | undefined;
  /** Called after each attempt that got a response. */
  readonly onResponse?: ((facts: ResponseFacts) => void) | undefined;
}

interface Call extends RequestContent, CallOptions {
  readonly method: string;
  readonly path: string;
}

/** The longest timer in milliseconds; longer ones fire at once. */
const longestTimer = 2 ** 31 - 1;

/** Makes calls, and retries those that are safe to repeat. */
export class Connection {
  readonly #base: string;
  readonly #key: string;
  readonly #settings: Omit<Settings, 'key' | 'url'>;

  constructor({ url, key, ...settings }: Settings) {
    this.#base = readBase(url);
    this.#key = readKey(key);
    this.#settings = settings;
  }

  /** The body of a successful response. Throws a `DynamicLinksError` if there is none. */
  async send(given: Call): Promise<Readonly<Record<string, unknown>>> {
    const call = isCreation(given)
      ? { ...given, idempotencyKey: given.idempotencyKey ?? crypto.randomUUID() }
      : given;
    const { signal } = call;
    const address = this.#base + call.path + queryOf(call.query);
    const request = this.#requestOf(call);
    const { retries = 2 } = this.#settings;
    for (let attempt = 1; ; attempt++) {
      if (signal?.aborted) throw aborted(signal, attempt - 1);
      const outcome = await this.#attempt(call, address, request, attempt);
      if (!(outcome instanceof DynamicLinksError)) return outcome;
      const wait =
        outcome.code === 'ABORTED' ? undefined : waitBeforeNext(call, outcome, { attempt, retries });
      if (wait === undefined) throw outcome;
      await pause(wait, signal);
    }
  }

  #requestOf({ method, body, idempotencyKey }: Call): RequestInit {
    const headers = new Headers({ accept: 'application/json', 'x-api-key': this.#key });
    if (body !== undefined) headers.set('content-type', 'application/json');
    if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
    // A redirect would carry the key to another host.
    return {
      method,
      headers,
      redirect: 'manual',
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
  }

  async #attempt(call: Call, address: string, request: RequestInit, number: number) {
    const begun = performance.now();
    const { method, path, signal } = call;
    const { timeoutMs = 30_000, onResponse } = { ...this.#settings, ...given({ timeoutMs: call.timeoutMs }) };
    let response: Response;
    let text: string;
    const ending = endingAfter(timeoutMs, signal);
    try {
      const asked = (this.#settings.fetch ?? fetch)(address, { ...request, signal: ending.signal });
      response = await Promise.race([asked, ending.ended]);
      text = await Promise.race([textOf(response), ending.ended]);
    } catch (cause) {
      if (signal?.aborted) return aborted(signal, number);
      const [code, what] = ending.isLate()
        ? (['TIMEOUT', `gave no answer within ${timeoutMs} ms`] as const)
        : (['CONNECTION_ERROR', `got no answer: ${reasonOf(cause)}`] as const);
      return this.#failure(`${method} ${path} ${what}`, { code, attempts: number, cause });
    } finally {
      ending.clear();
    }
    const { status, headers } = response;
    const ms = performance.now() - begun;
    onResponse?.({ method, path, status, attempt: number, ms, rateLimit: rateLimitOf(headers) });
    const body = readJson(text);
    if (response.ok && body?.success === true) return body;
    const { message, ...failure } = readFailure(body, { method, path, status });
    const retryAfter = readRetryAfter(headers.get('retry-after'));
    return this.#failure(message, { ...failure, status, retryAfter, attempts: number });
  }

  /** No message shows the key. */
  #failure(message: string, details: ConstructorParameters<typeof DynamicLinksError>[1]) {
    return new DynamicLinksError(message.replaceAll(this.#key, '[key]'), details);
  }
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

const readBase = (url: unknown): string => {
  if (typeof url !== 'string' || url === '') throw new TypeError('url is missing: the address of the API');
  if (!/^https?:\/\/[^/?#@]+[^?#@]*$/i.test(url) || !URL.canParse(url))
    throw new TypeError('url must be an https address without user name, query and fragment');
  if (/^http:/i.test(url) && !loopback.test(new URL(url).hostname))
    throw new TypeError('url must use https; http is allowed only for localhost');
  return `${url.replace(/\/+$/, '').replace(/\/1\.0$/, '')}/1.0`;
};

const readKey = (key: unknown): string => {
  if (typeof key !== 'string' || key === '') throw new TypeError('key is missing: an API key of the project');
  // Headers can't contain other characters, and the error would show the key.
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('key must have printable ASCII characters only');
  return key;
};

/** The values that aren't undefined, to be spread over defaults. */
const given = <Values extends object>(values: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>;

const queryOf = (query: RequestContent['query'] = {}): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text && `?${text}`;
};

/** Largest response in bytes, above the API's: Lambda's limit is 6 MB. */
const mostBytes = 8 * 1024 * 1024;

/** The text of a response; empty if it exceeds `mostBytes`, and then the rest isn't read. */
const textOf = async ({ body }: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // Not every browser iterates over a stream.
  const reader = body?.getReader();
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    bytes += part.value.length;
    if (bytes > mostBytes) {
      await reader?.cancel();
      return '';
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
};

const readJson = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
};

const rateLimitOf = (headers: Headers): RateLimit | undefined => {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    headers.get(`x-ratelimit-${name}`),
  );
  if (!limit || !remaining || !reset) return undefined;
  return { limit: Number(limit), remaining: Number(remaining), reset };
};

/** The message of a failed `fetch`, with that of its cause. */
const reasonOf = (cause: unknown): string => {
  const { message, cause: inner } = (cause ?? {}) as { message?: unknown; cause?: { code?: unknown } };
  return [message ?? cause, inner?.code].filter((part) => part !== undefined).join(', ');
};

const aborted = (signal: AbortSignal, attempts: number) =>
  new DynamicLinksError('The call was aborted', { code: 'ABORTED', attempts, cause: signal.reason });

/** Ends an attempt by timeout or by the caller, even if `fetch` ignores the signal. */
const endingAfter = (timeoutMs: number, caller: AbortSignal | undefined) => {
  const controller = new AbortController();
  let isLate = false;
  const end = () => controller.abort();
  const timer = setTimeout(
    () => {
      isLate = true;
      end();
    },
    Math.min(timeoutMs, longestTimer),
  );
  caller?.addEventListener('abort', end);
  const ended = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
  });
  // It may reject while nothing awaits it.
  ended.catch(() => undefined);
  const clear = () => {
    clearTimeout(timer);
    caller?.removeEventListener('abort', end);
  };
  return { signal: controller.signal, ended, isLate: () => isLate, clear };
};

/** Waits this many milliseconds, or until the caller aborts. */
const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
