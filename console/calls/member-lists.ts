import type { DynamicLinks } from '../../client/dynamic-links.ts';
import type { LinkFilter, ListedLink, MobileApp } from '../../client/types.ts';
import { writeRecord } from '../../core/base/csv-cells.ts';
import { columns, flatPayload } from '../../core/links/link-columns.ts';
import { sorted } from '../../core/links/link-orders.ts';
import type { LinkPayload } from '../../core/links/payload-fields.ts';
import type { CallInput, CallOptions, CallOutput } from './client.ts';

const pageSize = 50;
const readSize = 100;
/** The page sorts and exports at most this many links, in twenty calls. */
const mostLinks = 2000;
/** Pages of a sorted list share one reading for this long. */
const keptMs = 30_000;

type Query = Pick<CallInput<'links'>, 'search' | 'status' | 'tag'>;
type Ask = <Result>(ask: (client: DynamicLinks) => Promise<Result>) => Promise<Result>;

interface Whole {
  readonly key: string;
  readonly links: Promise<readonly ListedLink[]>;
  readonly readAt: number;
}

/** Sorting and export of links, which the API lacks. */
export class MemberLists {
  #last: Whole | undefined;

  forget(): void {
    this.#last = undefined;
  }

  /** All links that match a filter, newest first, read at most `keptMs` ago. */
  async #whole(ask: Ask, project: string, query: Query, options: CallOptions) {
    const key = JSON.stringify([project, query.search, query.status, query.tag]);
    const known = this.#last;
    if (known?.key === key && Date.now() < known.readAt + keptMs) return known;
    // Without the caller's signal, because another page of the list may wait for the same reading.
    const links = ask((client) => everyLink(client, query, options.onProgress));
    const whole = { key, links, readAt: Date.now() };
    this.#last = whole;
    await links.catch((error: unknown) => {
      if (this.#last === whole) this.forget();
      throw error;
    });
    return whole;
  }

  async page(ask: Ask, input: CallInput<'links'>, options: CallOptions): Promise<CallOutput<'links'>> {
    const { project, sort, cursor = '' } = input;
    if (!sort) return ask((client) => linkPage(client, input, options));
    const { links, readAt } = await this.#whole(ask, project, input, options);
    const all = sorted(await links, sort, ({ code, name, clickCount: clicks }) => ({ code, name, clicks }));
    const page = Math.max(1, Number.parseInt(cursor, 10) || 1);
    return {
      links: all.slice((page - 1) * pageSize, page * pageSize),
      pagination: { page, pageSize, total: all.length, totalPages: Math.ceil(all.length / pageSize) },
      readAt: new Date(readAt).toISOString(),
    };
  }

  /** The operators' CSV without unique clicks and platforms, which the API's lists lack. */
  async csv(
    ask: Ask,
    { project, codes }: CallInput<'exportLinks'>,
    options: CallOptions,
  ): Promise<CallOutput<'exportLinks'>> {
    const [{ links }, { apps }] = await Promise.all([
      this.#whole(ask, project, {}, options),
      ask((client) => client.apps.list()),
    ]);
    const byCode = new Map((await links).map((link) => [link.code, link]));
    const chosen = (codes ?? [...byCode.keys()]).flatMap((code) => byCode.get(code) ?? []);
    return { links: chosen.length, text: csvOf(chosen, apps), notes: [] };
  }
}

const unlisted = ['uniqueClicks', 'clicksIos', 'clicksAndroid', 'clicksWeb'];
const listed = columns.filter(({ name }) => !unlisted.includes(name));

const csvOf = (links: readonly ListedLink[], apps: readonly MobileApp[]): string => {
  const find = (id: string | undefined) => apps.find((app) => app.id === id);
  const rows = links.map((link) => {
    // The API returns payloads in their stored shape.
    const flat = { ...link, payload: flatPayload(link.payload as LinkPayload, find as never) };
    return listed.map(({ show }) => String(show(flat as never) ?? ''));
  });
  return [listed.map(({ name }) => name), ...rows].map(writeRecord).join('');
};

const filterOf = ({ search, status, tag }: Query): LinkFilter => ({ search, status, tag });

const isNone = ({ search, status, tag = [] }: Query) => !search && !status && tag.length === 0;

const everyLink = async (
  client: DynamicLinks,
  query: Query,
  onProgress: CallOptions['onProgress'],
): Promise<ListedLink[]> => {
  if (isNone(query)) {
    const { pagination } = await client.links.page({ page: 1, pageSize: 1 });
    if (pagination.total > mostLinks) throw tooMany();
  }
  const links: ListedLink[] = [];
  for await (const link of client.links.list(filterOf(query))) {
    links.push(link);
    if (links.length > mostLinks) throw tooMany();
    if (links.length % readSize === 0) onProgress?.({ done: links.length });
  }
  return links;
};

const tooMany = () =>
  new Error(
    `The console sorts and exports up to ${mostLinks.toLocaleString('en')} links. Search, or choose a tag or status, to have fewer.`,
  );

/** A page by its number. A filter takes several calls, because each looks at only some links. */
const linkPage = async (
  client: DynamicLinks,
  { cursor = '', ...query }: CallInput<'links'>,
  { signal, onProgress }: CallOptions,
): Promise<CallOutput<'links'>> => {
  if (isNone(query))
    return client.links.page({ page: Number.parseInt(cursor, 10) || 1, pageSize }, { signal });
  const links: ListedLink[] = [];
  for (let next = cursor; ; ) {
    const asked = { ...filterOf(query), cursor: next, pageSize: pageSize - links.length };
    const { links: some, pagination } = await client.links.page(asked, { signal });
    links.push(...some);
    if (pagination.nextCursor === null || links.length === pageSize) return { links, pagination };
    next = pagination.nextCursor;
    onProgress?.({ done: links.length, found: { links: [...links], pagination } });
  }
};
