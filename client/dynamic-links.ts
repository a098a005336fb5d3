import { type CallOptions, Connection, type RequestContent, type Settings } from './connection.ts';
import { DynamicLinksError } from './failures.ts';
import type {
  Analytics,
  AnalyticsQuery,
  BulkAnswer,
  CountedEvent,
  CreatedLink,
  GroupBy,
  HistoryEntry,
  Link,
  LinkChange,
  LinkDraft,
  LinkFilter,
  LinkPatch,
  LinkStatus,
  ListedLink,
  MobileApp,
  MobileAppChange,
  MobileAppDraft,
  MobileApps,
  PageOf,
  PageQuery,
  SettableStatus,
  Tags,
  Usage,
  Validity,
} from './types.ts';

/** The most links that the API takes in one call, or returns in one page. */
export const linksPerCall = 100;

/** The most bytes of links in a call. Its body may have 1 MiB; the rest is for the JSON around them. */
const bytesPerCall = 1_000_000;

/** Splits links into portions of one call. */
function* portionsOf(drafts: readonly LinkDraft[]): Generator<LinkDraft[]> {
  let portion: LinkDraft[] = [];
  let bytes = 0;
  for (const draft of drafts) {
    const own = new TextEncoder().encode(JSON.stringify(draft)).length + 1;
    if (portion.length === linksPerCall || (portion.length > 0 && bytes + own > bytesPerCall)) {
      yield portion;
      [portion, bytes] = [[], 0];
    }
    portion.push(draft);
    bytes += own;
  }
  if (portion.length > 0) yield portion;
}

/** A client of one project. */
export class DynamicLinks {
  readonly links: Links;
  readonly apps: Apps;
  readonly tags: { list(options?: CallOptions): Promise<Tags> };
  readonly #connection: Connection;

  constructor(settings: Settings) {
    // JavaScript code may omit the settings.
    const connection = new Connection(settings ?? {});
    this.#connection = connection;
    this.links = new Links(connection);
    this.apps = new Apps(connection);
    this.tags = { list: (options) => dataOf(connection, 'GET', '/tags', options) };
  }

  /** The key's remaining requests in this hour. */
  usage(options?: CallOptions): Promise<Usage> {
    return dataOf(this.#connection, 'GET', '/usage', options);
  }

  /** Analytics of a link or of the project. With a list of groupings, one call returns an object with all of them. */
  async analytics<
    const Groups extends GroupBy | readonly GroupBy[] = 'count',
    Event extends CountedEvent = 'clicks',
  >(query: AnalyticsQuery<Groups, Event> = {}, options?: CallOptions): Promise<Analytics<Groups, Event>> {
    const content = { ...options, query: { ...query } };
    const data: unknown = await dataOf(this.#connection, 'GET', '/analytics', content);
    const { groupBy } = query;
    // The API returns the analytics of a single grouping without its name.
    const isList = typeof groupBy === 'object' && groupBy.length === 1;
    return (isList ? { [String(groupBy[0])]: data } : data) as Analytics<Groups, Event>;
  }

  /** Calls any endpoint, by its path with or without `/1.0`. Resolves to `data` of the response. */
  request<Data = unknown>(
    method: string,
    path: string,
    content: RequestContent & CallOptions = {},
  ): Promise<Data> {
    const below = path.replace(/^\/?(1\.0\/)?/, '/');
    return dataOf(this.#connection, method.toUpperCase(), below, content);
  }
}

class Links {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Creates a link, which is active unless `status` is `PAUSED`. It is safe to repeat: the service creates one link
   * however often the call is sent.
   */
  create(draft: LinkDraft, options?: CallOptions): Promise<CreatedLink> {
    return dataOf(this.#connection, 'POST', '/links', { ...options, body: draft });
  }

  /**
   * Creates links in calls of a hundred, one after the other. Links fail separately. If a whole call fails, no more are
   * created, and the error's `results` has those of the calls before.
   */
  async createMany(drafts: readonly LinkDraft[], options: CallOptions = {}): Promise<BulkAnswer> {
    const all: BulkAnswer = { created: 0, failed: 0, results: [] };
    const { idempotencyKey: key } = options;
    const isOne = key === undefined || drafts.length <= linksPerCall;
    for (let first = 0; first < drafts.length; first += linksPerCall) {
      const idempotencyKey = isOne ? key : `${key}-${first / linksPerCall + 1}`;
      const links = drafts.slice(first, first + linksPerCall);
      const { created, failed, results } = await dataOf<BulkAnswer>(this.#connection, 'POST', '/links/bulk', {
        ...options,
        idempotencyKey,
        body: { links },
      }).catch((error: unknown) => {
        if (error instanceof DynamicLinksError) error.results = all.results;
        throw error;
      });
      all.created += created;
      all.failed += failed;
      all.results.push(...results.map((result) => ({ ...result, index: first + result.index })));
    }
    return all;
  }

  /**
   * Validates links as a creation would now, with one result each, and stores nothing. Needs only the scope
   * `links:read`, and a service of version 1.3.0. Sends as many calls as the links need.
   */
  async validate(drafts: readonly LinkDraft[], options: CallOptions = {}): Promise<Validity[]> {
    const all: Validity[] = [];
    for (const links of portionsOf(drafts)) {
      const query = { validateOnly: true };
      const sent = { ...options, query, body: { links } };
      const answer = await dataOf<BulkAnswer>(this.#connection, 'POST', '/links/bulk', sent);
      const first = all.length;
      all.push(...answer.results.map((result) => ({ ...result, index: first + result.index })));
    }
    return all;
  }

  /** Every link that matches the filter, newest first. */
  async *list(filter: LinkFilter = {}, options?: CallOptions): AsyncGenerator<ListedLink, void, undefined> {
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: PageOf<{ cursor: string }> = await this.page(
        { ...filter, cursor, pageSize: linksPerCall },
        options,
      );
      yield* page.links;
      cursor = page.pagination.nextCursor;
    }
  }

  /** A page by number, with the total; or by cursor, which is empty for the first page. */
  async page<Query extends PageQuery = object>(
    query: Query = {} as Query,
    options?: CallOptions,
  ): Promise<PageOf<Query>> {
    const asked: PageQuery = query;
    const sent = { method: 'GET', path: '/links', ...options, query: { ...asked } };
    const { data, pagination } = await this.#connection.send(sent);
    return { links: data as ListedLink[], pagination: pagination as PageOf<Query>['pagination'] };
  }

  get(code: string, options?: CallOptions): Promise<Link> {
    return dataOf(this.#connection, 'GET', `/links/${segment(code)}`, options);
  }

  /**
   * Updates a link: omitted fields stay, null clears, a section of the payload replaces the whole section. The code
   * never changes, and `setStatus` changes the status.
   */
  async update(code: string, change: LinkChange, options?: CallOptions): Promise<void> {
    await dataOf(this.#connection, 'PUT', `/links/${segment(code)}`, { ...options, body: change });
  }

  /** Merges a change into the link (JSON Merge Patch): omitted fields stay, also inside sections; null clears. */
  async patch(code: string, change: LinkPatch, options?: CallOptions): Promise<void> {
    await dataOf(this.#connection, 'PATCH', `/links/${segment(code)}`, { ...options, body: change });
  }

  async setStatus(
    code: string,
    status: SettableStatus,
    options?: CallOptions,
  ): Promise<{ status: LinkStatus; updatedAt: string }> {
    const answer = await dataOf<{ status: LinkStatus; updatedAt: string }>(
      this.#connection,
      'PUT',
      `/links/${segment(code)}/status`,
      { ...options, body: { status } },
    );
    return { status: answer.status, updatedAt: answer.updatedAt };
  }

  /** Deletes the link permanently; its code stays taken. */
  async delete(code: string, options?: CallOptions): Promise<void> {
    await dataOf(this.#connection, 'DELETE', `/links/${segment(code)}`, options);
  }

  /** What changed of a link, newest first. Needs a service of version 1.3.0. */
  async *history(code: string, options?: CallOptions): AsyncGenerator<HistoryEntry, void, undefined> {
    let cursor: string | null = '';
    while (cursor !== null) {
      const sent = { method: 'GET', path: '/history', ...options, query: { code, cursor } };
      const { data, pagination } = await this.#connection.send(sent);
      yield* data as HistoryEntry[];
      cursor = (pagination as { nextCursor: string | null }).nextCursor;
    }
  }

  /** Whether a new link can have this code. */
  async isAvailable(code: string, options?: CallOptions): Promise<boolean> {
    const path = `/links/check/${segment(code)}`;
    return (await dataOf<{ available: boolean }>(this.#connection, 'GET', path, options)).available;
  }
}

class Apps {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  create(draft: MobileAppDraft, options?: CallOptions): Promise<MobileApp> {
    return dataOf(this.#connection, 'POST', '/mobile-apps', { ...options, body: draft });
  }

  list(options?: CallOptions): Promise<MobileApps> {
    return dataOf(this.#connection, 'GET', '/mobile-apps', options);
  }

  get(id: string, options?: CallOptions): Promise<MobileApp> {
    return dataOf(this.#connection, 'GET', `/mobile-apps/${segment(id)}`, options);
  }

  /** Updates an app: only given fields change; null clears. */
  update(id: string, change: MobileAppChange, options?: CallOptions): Promise<MobileApp> {
    return dataOf(this.#connection, 'PUT', `/mobile-apps/${segment(id)}`, { ...options, body: change });
  }

  async delete(id: string, options?: CallOptions): Promise<void> {
    await dataOf(this.#connection, 'DELETE', `/mobile-apps/${segment(id)}`, options);
  }
}

/** The `data` of a response. Its type is the API's and isn't checked. */
const dataOf = async <Data>(
  connection: Connection,
  method: string,
  path: string,
  content: RequestContent & CallOptions = {},
): Promise<Data> => (await connection.send({ ...content, method, path })).data as Data;

/** A code or id in a path. Throws for an empty one, `.` or `..`, which would vanish and leave the path of all links. */
const segment = (name: string): string => {
  if (typeof name !== 'string' || /^\.{0,2}$/.test(name))
    throw new TypeError('A code or id must be a non-empty string');
  return encodeURIComponent(name);
};
