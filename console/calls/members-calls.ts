import type { DynamicLinks } from '../../client/dynamic-links.ts';
import type { WholeHistoryEntry } from '../../client/types.ts';
import type { Role } from '../../core/members/roles.ts';
import type { QrStyle } from '../../core/qr-styles/qr-style.ts';
import type { CallInput, CallOptions, CallOutput, Name } from './client.ts';
import { memberAnalytics } from './member-analytics.ts';
import { MemberLists } from './member-lists.ts';

/** A session, as the sign-in function returns it. */
export interface MemberSession {
  readonly email: string;
  readonly projects: readonly {
    readonly id: string;
    readonly name: string;
    readonly role: Role;
  }[];
}

type Members = readonly { readonly id: string; readonly email: string }[];

export type Handlers = {
  readonly [N in Name]?: (input: CallInput<N>, options: CallOptions) => Promise<CallOutput<N>>;
};

export type WithClient = <Result>(
  project: string,
  ask: (client: DynamicLinks) => Promise<Result>,
) => Promise<Result>;

interface Sources {
  readonly membersOf?: (project: string) => Promise<Members>;
  readonly lists?: MemberLists;
}

/** The console's calls through the public API. */
export const handlersOf = (
  { projects }: MemberSession,
  withClient: WithClient,
  { membersOf = async () => [], lists = new MemberLists() }: Sources = {},
) => {
  const known = new Map<string, Promise<Members>>();
  /** A link is shown even if its creator's e-mail is unavailable. */
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
  const linkOf = async ({ project, code }: CallInput<'link'>) => {
    const asked = withClient(project, (client) => client.links.get(code));
    const [link, who] = await Promise.all([asked, whoIn(project)]);
    return { ...link, createdBy: who(link.createdBy) };
  };
  return {
    deployment: async () => ({ name: '', flags: '', shortBase: '' }),
    projects: async () => projects,
    projectHead: async ({ project }) => ({
      name: projects.find(({ id }) => id === project)?.name ?? project,
      isSuspended: false,
    }),
    links: (input, options) => lists.page((ask) => withClient(input.project, ask), input, options),
    exportLinks: (input, options) => lists.csv((ask) => withClient(input.project, ask), input, options),
    tags: async ({ project }) => (await withClient(project, (client) => client.tags.list())).tags,
    link: linkOf,
    // The API shows the short base only in short URLs of links.
    routing: async ({ project }) => {
      const { links } = await withClient(project, (client) => client.links.page({ pageSize: 1 }));
      return { shortBase: links[0]?.shortUrl.replace(/\/[^/]*$/, ''), association: 'unknown' };
    },
    reach: async (input) => {
      const link = await linkOf(input);
      const { blocked, status } = link;
      const state = status === 'PAUSED' || status === 'EXPIRED' ? status : undefined;
      const reasons = blocked ? [blockedWords] : [];
      return {
        link,
        state: blocked ? 'BLOCKED' : state,
        reasons,
        blockedHosts: [],
      };
    },
    history: async ({ project, code, limit }) => {
      const [link, entries, who] = await Promise.all([
        withClient(project, ({ links }) => links.get(code)),
        withClient(project, ({ links }) => firstOf(links.history(code), limit + 1)),
        whoIn(project),
      ]);
      const shown = entries.map((entry) => ({ ...entry, by: entry.by && who(entry.by) }));
      return { link, entries: shown.slice(0, limit), hasMore: shown.length > limit };
    },
    historyEntry: ({ project, code, id }) =>
      withClient(project, async (client) => {
        const [link, { before }] = await Promise.all([
          client.links.get(code),
          client.request<WholeHistoryEntry>('GET', '/history', { query: { code, id } }),
        ]);
        return { link, before };
      }),
    createLink: ({ project, link }) => withClient(project, (client) => client.links.create(link)),
    createLinks: ({ project, links }) =>
      withClient(project, async (client) => (await client.links.createMany(links)).results),
    updateLink: ({ project, code, link }) => withClient(project, (client) => client.links.patch(code, link)),
    setLinkStatus: ({ project, code, status }) =>
      withClient(project, (client) => client.links.setStatus(code, status)),
    tagLink: ({ project, code, add = [], remove = [] }) =>
      withClient(project, ({ links }) => links.patch(code, { addTags: [...add], removeTags: [...remove] })),
    deleteLink: ({ project, code }) => withClient(project, (client) => client.links.delete(code)),
    codeIsFree: ({ project, code }) => withClient(project, (client) => client.links.isAvailable(code)),
    apps: async ({ project }) => (await withClient(project, (client) => client.apps.list())).apps,
    app: ({ project, id }) => withClient(project, (client) => client.apps.get(id)),
    createApp: ({ project, app }) => withClient(project, (client) => client.apps.create(app)),
    updateApp: ({ project, id, app }) => withClient(project, (client) => client.apps.update(id, app)),
    deleteApp: ({ project, id }) => withClient(project, (client) => client.apps.delete(id)),
    recentClicks: ({ project, code }) =>
      withClient(project, (client) => client.analytics({ code, interval: '30d', groupBy: 'timeseries' })),
    qrStyle: ({ project }) => withClient(project, (client) => client.request<QrStyle>('GET', '/qr-style')),
    setQrStyle: ({ project, style }) =>
      withClient(project, (client) => client.request('PUT', '/qr-style', { body: style })),
    analytics: (input) => withClient(input.project, (client) => memberAnalytics(client, input)),
  } satisfies Handlers;
};

export type MembersCall = keyof ReturnType<typeof handlersOf>;

const firstOf = async <Value>(values: AsyncIterable<Value>, most: number): Promise<Value[]> => {
  const first: Value[] = [];
  for await (const value of values) if (first.push(value) === most) break;
  return first;
};

const blockedWords =
  'The operator of this service has blocked the link: visitors find nothing, and it can only be deleted.';
