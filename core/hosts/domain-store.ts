import { existing } from '../projects/project-store.ts';
import { domainKey, domainListing, listings, projectKey } from '../table/keys.ts';
import { listedUnder } from '../table/ranges.ts';
import { type Item, met, type Table } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import { conditionOf, updateOf, updateWhen } from '../table/update.ts';

/** A host that belongs to one project. */
export interface CustomHost {
  readonly host: string;
  readonly project: string;
  /** Whether it is the service's shared host, where every project has its folder. */
  readonly shared?: true;
  /** Where `/` redirects. */
  readonly root?: string | undefined;
  /** Target of the link on the 404 page. */
  readonly notFound?: string | undefined;
}

const fromItem = ({ host, project, root, notFound }: Item) =>
  ({ host, project, root, notFound }) as CustomHost;

/** An address that is left out stays as it was; an empty one is cleared. */
const assignment = ({ host, project, shared, root, notFound }: CustomHost, now: Date) =>
  updateOf(domainKey(host), {
    set: {
      ...domainListing(host),
      ...{ host, project, shared, assignedAt: now.toISOString() },
      ...{ root: root || undefined, notFound: notFound || undefined },
    },
    remove: Object.entries({ root, notFound, shared: shared ?? '' }).flatMap(([name, value]) =>
      value === '' ? [name] : [],
    ),
    when: 'attribute_not_exists(#PK) OR #project = :project',
  });

/** Holds while a host is the project's. */
const isOwned = (project: string) => conditionOf('#project = :project', { project });

export const domainStore = (table: Table) => ({
  async find(host: string): Promise<CustomHost | undefined> {
    const item = await table.get(domainKey(host));
    return item && fromItem(item);
  },

  /**
   * Gives a host to a project and makes it the one that the project's short URLs show. Hosts that the project
   * had before go on working: they may be printed somewhere. False if the host is another project's, or there is no such
   * project.
   */
  assign: (draft: CustomHost, now = new Date()): Promise<boolean> =>
    met(
      table.transact([
        { Update: assignment(draft, now) },
        { Update: updateOf(projectKey(draft.project), { set: { host: draft.host }, when: existing }) },
      ]),
    ),

  /** Takes the addresses from a host that the project has. False if it has no such host. */
  clearAddresses: ({ host, project }: CustomHost): Promise<boolean> =>
    updateWhen(table, domainKey(host), {
      remove: ['root', 'notFound'],
      when: '#project = :project',
      values: { project },
    }),

  list: async (): Promise<CustomHost[]> => (await listed(table)).map(fromItem),

  /**
   * Removes a host. The project's short URLs then show its host that was assigned last of those left; without one they
   * return to its folder on the shared host. False if the project has no such host.
   */
  remove: ({ host, project }: CustomHost): Promise<boolean> =>
    // Every further attempt means that another call changed the project's hosts in between.
    untilMet(async () => {
      if ((await table.get(domainKey(host)))?.project !== project) return false;
      const known = (await table.get(projectKey(project)))?.host;
      const next = known === host ? await assignedLast(table, { host, project }) : known;
      const shown = updateOf(projectKey(project), {
        set: { host: next },
        remove: next === undefined ? ['host'] : [],
        when: known === undefined ? 'attribute_not_exists(#host)' : '#host = :known',
        values: { known },
      });
      const succession = next !== undefined && next !== known ? [domainKey(String(next))] : [];
      await table.transact([
        { Delete: { Key: domainKey(host), ...isOwned(project) } },
        { Update: shown },
        ...succession.map((Key) => ({ ConditionCheck: { Key, ...isOwned(project) } })),
      ]);
      return true;
    }),
});

const listed = (table: Table): Promise<Item[]> => table.query(listedUnder(listings.domains));

/** Hosts whose assignment has no time, because it is older than those times, count as assigned first. */
const assignedLast = async (table: Table, { host, project }: CustomHost): Promise<string | undefined> => {
  const keys = (await listed(table))
    .filter((item) => item.project === project && item.host !== host)
    .map((item) => domainKey(String(item.host)));
  if (keys.length === 0) return undefined;
  // The index may still list a host that was just removed.
  const [last] = (await table.batchGet(keys))
    .filter((item) => item.project === project)
    .sort((a, b) => String(b.assignedAt ?? '').localeCompare(String(a.assignedAt ?? '')));
  return last && String(last.host);
};
