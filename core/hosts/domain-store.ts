import { existing } from '../projects/project-store.ts';
import { domainKey, domainListing, listings, projectKey } from '../table/keys.ts';
import { listedUnder } from '../table/ranges.ts';
import { type Item, met, type Part, type Table } from '../table/table.ts';

/** A host that belongs to one project. */
export interface Domain {
  readonly host: string;
  readonly project: string;
  /** Whether it is the service's shared host, where every project has its folder. */
  readonly shared?: true;
  /** Where `/` redirects. */
  readonly root?: string;
  /** Target of the link on the 404 page. */
  readonly notFound?: string;
}

/** A host to assign. An address that is left out stays as it was; an empty one is cleared. */
export interface DomainDraft extends Pick<Domain, 'host' | 'project' | 'shared'> {
  readonly root?: string | undefined;
  readonly notFound?: string | undefined;
}

/** Reserved words of DynamoDB's. */
const hostName = { '#host': 'host' };
const projectName = { '#project': 'project' };

const fromItem = ({ host, project, root, notFound }: Item) =>
  ({
    host,
    project,
    ...(root !== undefined && { root }),
    ...(notFound !== undefined && { notFound }),
  }) as Domain;

/** Writes what a draft states of its host, and leaves the rest of the stored item as it is. */
const assignment = ({ host, project, shared, root, notFound }: DomainDraft, now: Date) => {
  const assignedAt = now.toISOString();
  const stated = Object.entries({
    ...domainListing(host),
    ...{ host, project, shared, root, notFound, assignedAt },
  });
  const set = stated.filter(([, value]) => value !== undefined && value !== '');
  const cleared = stated.filter(([name, value]) => value === '' || (name === 'shared' && !value));
  const removal = cleared.map(([name]) => `#${name}`).join(', ');
  return {
    Key: domainKey(host),
    UpdateExpression: `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}${removal && ` REMOVE ${removal}`}`,
    ConditionExpression: 'attribute_not_exists(PK) OR #project = :project',
    ExpressionAttributeNames: Object.fromEntries([...set, ...cleared].map(([name]) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
  };
};

export const domainStore = (table: Table) => ({
  async find(host: string): Promise<Domain | undefined> {
    const item = await table.get(domainKey(host));
    return item && fromItem(item);
  },

  /**
   * Gives a host to a project and makes it the one that the project's short URLs show. Hosts that the project
   * had before go on working: they may be printed somewhere. False if the host is another project's, or there is no such
   * project.
   */
  assign: (draft: DomainDraft, now = new Date()): Promise<boolean> =>
    met(
      table.transact([
        { Update: assignment(draft, now) },
        {
          Update: {
            Key: projectKey(draft.project),
            UpdateExpression: 'SET #host = :host',
            ConditionExpression: existing,
            ExpressionAttributeNames: hostName,
            ExpressionAttributeValues: { ':host': draft.host },
          },
        },
      ]),
    ),

  /** Takes the addresses from a host that the project has. False if it has no such host. */
  clearAddresses: ({ host, project }: Domain): Promise<boolean> =>
    met(
      table.update({
        Key: domainKey(host),
        UpdateExpression: 'REMOVE #root, #notFound',
        ConditionExpression: '#project = :project',
        ExpressionAttributeNames: { ...projectName, '#root': 'root', '#notFound': 'notFound' },
        ExpressionAttributeValues: { ':project': project },
      }),
    ),

  list: async (): Promise<Domain[]> => (await listed(table)).map(fromItem),

  /**
   * Removes a host. The project's short URLs then show its host that was assigned last of those left; without one they
   * return to its folder on the shared host. False if the project has no such host.
   */
  async remove({ host, project }: Domain): Promise<boolean> {
    const removal = {
      Delete: {
        Key: domainKey(host),
        ConditionExpression: '#project = :project',
        ExpressionAttributeNames: projectName,
        ExpressionAttributeValues: { ':project': project },
      },
    };
    // Every further attempt means that another call changed the project's hosts in between.
    while ((await table.get(domainKey(host)))?.project === project) {
      const isShown = (await table.get(projectKey(project)))?.host === host;
      const rest = isShown ? await succession(table, { host, project }) : [notShown({ host, project })];
      if (await met(table.transact([removal, ...rest]))) return true;
    }
    return false;
  },
});

const listed = (table: Table): Promise<Item[]> => table.query(listedUnder(listings.domains));

/** Shows another host of a project instead of its present one, or none if it has no other. */
const succession = async (table: Table, { host, project }: Domain): Promise<Part[]> => {
  const next = await assignedLast(table, { host, project });
  const change = {
    Update: {
      Key: projectKey(project),
      UpdateExpression: next === undefined ? 'REMOVE #host' : 'SET #host = :next',
      ConditionExpression: '#host = :host',
      ExpressionAttributeNames: hostName,
      ExpressionAttributeValues: { ':host': host, ...(next !== undefined && { ':next': next }) },
    },
  };
  if (next === undefined) return [change];
  const isStillThere = {
    ConditionCheck: {
      Key: domainKey(next),
      ConditionExpression: '#project = :project',
      ExpressionAttributeNames: projectName,
      ExpressionAttributeValues: { ':project': project },
    },
  };
  return [change, isStillThere];
};

/** Hosts whose assignment has no time, because it is older than those times, count as assigned first. */
const assignedLast = async (table: Table, { host, project }: Domain): Promise<string | undefined> => {
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

/** Holds while a project's short URLs show another host, or none. */
const notShown = ({ host, project }: Domain): Part => ({
  ConditionCheck: {
    Key: projectKey(project),
    ConditionExpression: 'attribute_not_exists(#host) OR #host <> :host',
    ExpressionAttributeNames: hostName,
    ExpressionAttributeValues: { ':host': host },
  },
});
