import type { DynamicLinks } from '../client/dynamic-links.ts';
import { DynamicLinksError } from '../client/failures.ts';
import type {
  Link,
  LinkDraft,
  LinkPatch,
  ListedLink,
  MobileAppChange,
  MobileAppDraft,
} from '../client/types.ts';
import { dayMs } from '../core/base/durations.ts';
import { eachSplit, splitNames, splits } from '../core/figures/splits.ts';
import { qrParameter } from '../core/hosts/short-address.ts';
import { readQrOptions } from '../core/pages/qr-options.ts';
import { qrSvg } from '../core/pages/qr-svg.ts';
import type { CallOptions, Input, Name, Output } from './client.ts';

/** What the sign-in function says of a session. */
export interface Session {
  readonly email: string;
  readonly projects: readonly {
    readonly id: string;
    readonly name: string;
    readonly role: 'viewer' | 'editor';
  }[];
}

type Members = readonly { readonly id: string; readonly email: string }[];

const pageSize = 50;

export type Handlers = { readonly [N in Name]?: (input: Input<N>, options: CallOptions) => Promise<unknown> };

export type Asking = <Result>(
  project: string,
  ask: (client: DynamicLinks) => Promise<Result>,
) => Promise<Result>;

/** The console's calls by the public API. */
export const handlersOf = (
  { projects }: Session,
  asking: Asking,
  membersOf: (project: string) => Promise<Members> = async () => [],
): Handlers => {
  const known = new Map<string, Promise<Members>>();
  /** A link is shown also where nobody says who made it. */
  const whoIn = async (project: string) => {
    const asked = known.get(project) ?? membersOf(project);
    known.set(project, asked);
    const found = await asked.catch(() => {
      known.delete(project);
      return [];
    });
    const emails = new Map(found.map(({ id, email }) => [id, email]));
    return (id: string) => emails.get(id) ?? id;
  };
  return {
    target: async () => ({ name: '', flags: '', shortBase: '' }),
    projects: async () => projects.map(({ id, name, role }) => ({ id, name, role, shortBase: '' })),
    projectHead: async ({ project }) => ({
      name: projects.find(({ id }) => id === project)?.name ?? project,
      isSuspended: false,
    }),
    links: (input, options) => asking(input.project, (client) => linkPage(client, input, options)),
    tags: async ({ project }) => (await asking(project, (client) => client.tags.list())).tags,
    changeLinks: (input, options) => changeLinks(asking, input, options),
    link: async ({ project, code }) => {
      const link = asking(project, (client) => client.links.get(code));
      return Promise.all([link, whoIn(project)]).then(([found, who]) => linkOf(found, who));
    },
    createLink: ({ project, link }) =>
      asking(project, (client) => client.links.create(link as unknown as LinkDraft)),
    updateLink: ({ project, code, link }) =>
      asking(project, (client) => client.links.patch(code, link as unknown as LinkPatch)),
    setLinkStatus: ({ project, code, status }) =>
      asking(project, (client) => client.links.setStatus(code, status)),
    createLinks: ({ project, links }) =>
      asking(project, async (client) =>
        (await client.links.createMany(links as LinkDraft[])).results.map((one) =>
          one.success ? { code: one.link.code, shortUrl: one.link.shortUrl } : { reason: one.error.message },
        ),
      ),
    deleteLink: ({ project, code }) => asking(project, (client) => client.links.delete(code)),
    codeIsFree: async ({ project, code }) =>
      /^[\w-]{3,50}$/.test(code)
        ? { legal: true, free: await asking(project, (client) => client.links.isAvailable(code)) }
        : { legal: false, free: false },
    apps: async ({ project }) => (await asking(project, (client) => client.apps.list())).apps,
    app: ({ project, id }) => asking(project, (client) => client.apps.get(id)),
    createApp: ({ project, app }) =>
      asking(project, (client) => client.apps.create(app as unknown as MobileAppDraft)),
    updateApp: ({ project, id, app }) =>
      asking(project, (client) => client.apps.update(id, app as unknown as MobileAppChange)),
    deleteApp: ({ project, id }) => asking(project, (client) => client.apps.delete(id)),
    figures: (input) => asking(input.project, (client) => figuresOf(client, input)),
    qrCode: async ({ shortUrl, options }) => {
      const chosen = readQrOptions(options);
      // A visitor who scans it is counted as such.
      return { ...chosen, svg: qrSvg(`${shortUrl}?${qrParameter}`, chosen) };
    },
  };
};

type Row = Output<'links'>['links'][number];

const rowOf = (link: ListedLink): Row => ({
  code: link.code,
  name: link.name ?? '',
  tags: link.tags ?? [],
  destination: link.payload.link,
  status: link.status as Row['status'],
  blocked: link.blocked === true,
  createdAt: link.createdAt,
  expiresAt: link.expiresAt,
  clicks: link.clickCount,
  uniques: 0,
  shortUrl: link.shortUrl,
});

/** A page by its number; a filter is walked to its end, and shows what it has found so far. */
const linkPage = async (
  client: DynamicLinks,
  { q = '', status = '', tags = [], page = 1 }: Input<'links'>,
  { signal, onProgress }: CallOptions,
): Promise<Output<'links'>> => {
  if (q === '' && status === '' && tags.length === 0) {
    const { links, pagination } = await client.links.page({ page, pageSize }, { signal });
    return {
      links: links.map(rowOf),
      total: pagination.total,
      pageSize,
      isFiltered: false,
      readAt: undefined,
    };
  }
  const filter = {
    ...(q && { search: q }),
    ...(status && { status: status as 'ACTIVE' }),
    ...(tags.length > 0 && { tag: tags.join() }),
  };
  const found: Row[] = [];
  const shown = (): Output<'links'> => ({
    links: found.slice((page - 1) * pageSize, page * pageSize),
    total: found.length,
    pageSize,
    isFiltered: true,
    readAt: undefined,
  });
  for await (const link of client.links.list(filter, { signal })) {
    found.push(rowOf(link));
    if (found.length % pageSize === 0) onProgress?.({ done: found.length, found: shown() });
  }
  return shown();
};

/** Of many links, which may take longer than a key holds. */
const changeLinks = async (
  asking: Asking,
  { project, codes, status, add = [], remove = [] }: Input<'changeLinks'>,
  { signal, onProgress }: CallOptions,
): Promise<Output<'changeLinks'>> => {
  const failed: { code: string; reason: string }[] = [];
  for (const [done, code] of codes.entries()) {
    signal?.throwIfAborted();
    onProgress?.({ done, of: codes.length });
    try {
      await asking(project, async ({ links }) => {
        if (status) return links.setStatus(code, status);
        const { tags = [] } = await links.get(code);
        const kept = tags.filter((tag) => !remove.includes(tag));
        return links.patch(code, { tags: [...new Set([...kept, ...add])] });
      });
    } catch (error) {
      if (!(error instanceof DynamicLinksError)) throw error;
      failed.push({ code, reason: error.message });
    }
  }
  return { changed: codes.length - failed.length, failed };
};

/** As the views show a link; the API says nothing of where it leads, which its debug page does. */
const linkOf = (link: Link, who: (id: string) => string) => ({
  link: { ...link, createdBy: who(link.createdBy) },
  routes: [],
  state: link.blocked ? 'BLOCKED' : link.status === 'ACTIVE' ? undefined : link.status,
  reasons: link.blocked
    ? [
        'The operator of this service has blocked the link: visitors find nothing, and it can only be deleted.',
      ]
    : [],
  blockedHosts: [],
  warnings: [],
});

/** All figures of a view in two calls: clicks by every grouping, and app opens. */
const figuresOf = async (
  client: DynamicLinks,
  { code, interval, days }: Input<'figures'>,
): Promise<Output<'figures'>> => {
  const range = days ? { start: days.from, end: days.to } : { interval };
  const owner = { ...(code !== undefined && { code }), ...range };
  const last = code === undefined ? ('links' as const) : ('excluded' as const);
  const known = splitNames.filter((name) => code !== undefined || !splits[name].ofLinks);
  const [clicks, opens] = await Promise.all([
    client.analytics({ ...owner, groupBy: ['count', 'timeseries', ...known, last] }),
    client.analytics({ ...owner, event: 'opens', groupBy: ['count', 'timeseries'] }),
  ]);
  const { count, timeseries } = clicks;
  return {
    granularity: granularityOf(timeseries),
    count,
    opens: opens.count,
    series: timeseries.map((bucket, i) => ({ ...bucket, opens: opens.timeseries[i]?.opens ?? 0 })),
    groups: eachSplit(({ field }, name) =>
      (known.includes(name) ? clicks[name] : []).map((entry: Entry) => ({
        name: String(entry[field]),
        clicks: Number(entry.clicks),
      })),
    ),
    ...(code === undefined
      ? { links: clicks.links.map(({ code: name, clicks: n }) => ({ name, clicks: n })) }
      : { excluded: clicks.excluded.map(({ reason: name, visits }) => ({ name, visits })) }),
  };
};

type Entry = Readonly<Record<string, string | number>>;

/** The API chooses it by the range; its buckets say which. */
const granularityOf = ([first, second]: readonly { readonly start: string }[]): 'hour' | 'day' | 'month' => {
  const ms = Date.parse(second?.start ?? '') - Date.parse(first?.start ?? '');
  if (Number.isNaN(ms) || ms === dayMs) return 'day';
  return ms < dayMs ? 'hour' : 'month';
};
