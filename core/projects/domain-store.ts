import { domainKey, domainListing, projectKey, tableSchema } from '../table/keys.ts';
import { type Item, met, type Table } from '../table/table.ts';
import { existing } from './project-store.ts';

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
const assignment = ({ host, project, shared, root, notFound }: DomainDraft) => {
  const stated = Object.entries({ ...domainListing(host), host, project, shared, root, notFound });
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
   * had before go on working: they may be printed somewhere. False if the host or the project is not to be had.
   */
  assign: (draft: DomainDraft): Promise<boolean> =>
    met(
      table.transact([
        { Update: assignment(draft) },
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

  async list(): Promise<Domain[]> {
    const { name, partitionKey } = tableSchema.listings;
    const items = await table.query({
      IndexName: name,
      KeyConditionExpression: `${partitionKey} = :all`,
      ExpressionAttributeValues: { ':all': domainListing('').LPK },
    });
    return items.map(fromItem);
  },

  /** Removes a host. A project that used it returns to its folder on the shared host. */
  async remove({ host, project }: Domain): Promise<boolean> {
    const removal = {
      Delete: {
        Key: domainKey(host),
        ConditionExpression: '#project = :project',
        ExpressionAttributeNames: projectName,
        ExpressionAttributeValues: { ':project': project },
      },
    };
    const shown = {
      Update: {
        Key: projectKey(project),
        UpdateExpression: 'REMOVE #host',
        ConditionExpression: '#host = :host',
        ExpressionAttributeNames: hostName,
        ExpressionAttributeValues: { ':host': host },
      },
    };
    return (await met(table.transact([removal, shown]))) || (await met(table.transact([removal])));
  },
});
