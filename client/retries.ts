import type { DynamicLinksError } from './failures.ts';

/** The properties that decide whether a call may be repeated. */
interface Repeatable {
  readonly method: string;
  /** The path without `/1.0` and query. */
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
}

const creations: readonly string[] = ['/links', '/links/bulk', '/mobile-apps'];

/** Whether the API remembers the call by an Idempotency-Key. */
export const isCreation = ({ method, path }: Repeatable): boolean =>
  method === 'POST' && creations.includes(path);

/** Statuses after which a repeatable call is retried. */
const passing: readonly number[] = [0, 429, 500, 502, 503, 504];

/** Whether a change of a link saves an app; each repeat would save another. */
const savesApp = (body: unknown): boolean =>
  Object.values(
    (body as { readonly payload?: Readonly<Record<string, unknown>> } | undefined)?.payload ?? {},
  ).some((section) => (section as { readonly saveApp?: unknown } | null)?.saveApp === true);

/** The retryable statuses of a call. A throttled call had no effect; after other failures, only idempotent ones repeat. */
const statusesOf = ({ method, path, body, idempotencyKey }: Repeatable): readonly number[] => {
  if (method === 'GET') return passing;
  if (method === 'DELETE') return [429];
  if (method === 'PUT' || method === 'PATCH')
    return savesApp(body) || /^\/links\/[^/]+\/status$/.test(path) ? [429] : passing;
  return method === 'POST' && idempotencyKey !== undefined ? passing : [];
};

const longestRetryAfter = 60;

/** Milliseconds until the next attempt; undefined if there is none. */
export const waitBeforeNext = (
  call: Repeatable,
  { status, retryAfter }: Pick<DynamicLinksError, 'status' | 'retryAfter'>,
  { attempt, retries }: { readonly attempt: number; readonly retries: number },
): number | undefined => {
  if (attempt > retries || !statusesOf(call).includes(status)) return undefined;
  if (retryAfter !== undefined) return retryAfter > longestRetryAfter ? undefined : retryAfter * 1000;
  return Math.min(500 * 2 ** (attempt - 1), 8000) * (0.5 + Math.random() / 2);
};

/** Seconds of a Retry-After header, which may also be a date. */
export const readRetryAfter = (text: string | null): number | undefined => {
  if (text === null || text.trim() === '') return undefined;
  if (/^\s*\d+\s*$/.test(text)) return Number(text);
  const seconds = Math.ceil((Date.parse(text) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
};
