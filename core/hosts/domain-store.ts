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
  /** Set on the service's shared host, where every project has a folder. */
  readonly shared?: true;
  /** The address to which `/` redirects. */
  readonly root?: string | undefined;
  /** The address of the link on the 404 page. */
  readonly notFound?: string | undefined;
}

/** A host to assign; the primary one is shown in the project's short URLs. */
export interface HostDraft extends CustomHost {
  readonly primary?: boolean | undefined;
}

const fromItem = ({ host, project, root, notFound }: Item) =>
  ({ host, project, root, notFound }) as CustomHost;

/** The update that assigns a host. Undefined addresses stay as they are; empty ones are cleared. */
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

/** A condition that the host belongs to the project. */
const isOwned = (project: string) => conditionOf('#project = :project', { project });

export const domainStore = (table: Table) => ({
  async find(host: string): Promise<CustomHost | undefined> {
    const item = await table.get(domainKey(host));
    return item && fromItem(item);
  },

  /**
   * Assigns a host to a project. The project's first host, and later one that is assigned as `primary`, is shown in its
   * short URLs. Earlier hosts keep working, because they may be printed somewhere. False if the host belongs to another
   * project, or the project doesn't exist.
   */
  assign: ({ primary = false, ...draft }: HostDraft, now = new Date()): Promise<boolean> =>
    met(
      table.transact([
        { Update: assignment(draft, now) },
        {
          Update: updateOf(projectKey(draft.project), {
            [primary ? 'set' : 'first']: { host: draft.host },
            when: existing,
          }),
        },
      ]),
    ),

  /** Clears the addresses of a project's host. False if the project has no such host. */
  clearAddresses: ({ host, project }: CustomHost): Promise<boolean> =>
    updateWhen(table, domainKey(host), {
      remove: ['root', 'notFound'],
      when: '#project = :project',
      values: { project },
    }),

  list: async (): Promise<CustomHost[]> => (await listed(table)).map(fromItem),

  /**
   * Removes a host. The project's short URLs then show the most recently assigned of its other hosts, or else its
   * folder on the shared host. False if the project has no such host.
   */
  remove: ({ host, project }: CustomHost): Promise<boolean> =>
    // A failed attempt means that another call changed the project's hosts.
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

/** The project's most recently assigned host. Assignments from before times were stored count as the oldest. */
const assignedLast = async (table: Table, { host, project }: CustomHost): Promise<string | undefined> => {
  const keys = (await listed(table))
    .filter((item) => item.project === project && item.host !== host)
    .map((item) => domainKey(String(item.host)));
  if (keys.length === 0) return undefined;
  // The index may still list a host that was just removed, so the items are read.
  const [last] = (await table.batchGet(keys))
    .filter((item) => item.project === project)
    .sort((a, b) => String(b.assignedAt ?? '').localeCompare(String(a.assignedAt ?? '')));
  return last && String(last.host);
};
