import { domainKey, domainListing, projectKey, tableSchema } from '../table/keys.ts';
import { type Item, met, type Table } from '../table/table.ts';
import { existing } from './project-store.ts';

/** A host whose every path belongs to one project. */
export interface Domain {
  readonly host: string;
  readonly project: string;
  /** Whether it is the service's own short host, on which every project has its folder all the same. */
  readonly shared?: true;
}

/** Reserved words of DynamoDB's. */
const hostName = { '#host': 'host' };
const projectName = { '#project': 'project' };

const fromItem = ({ host, project }: Item) => ({ host, project }) as Domain;

export const domainStore = (table: Table) => ({
  async find(host: string): Promise<Domain | undefined> {
    const item = await table.get(domainKey(host));
    return item && fromItem(item);
  },

  /**
   * Gives a host to a project and makes it the one that the project's short URLs show. Hosts that the project
   * had before go on working: they may be printed somewhere. False if the host or the project is not to be had.
   */
  assign: ({ host, project, shared }: Domain): Promise<boolean> =>
    met(
      table.transact([
        {
          Put: {
            Item: { ...domainKey(host), ...domainListing(host), host, project, ...(shared && { shared }) },
            ConditionExpression: 'attribute_not_exists(PK) OR #project = :project',
            ExpressionAttributeNames: projectName,
            ExpressionAttributeValues: { ':project': project },
          },
        },
        {
          Update: {
            Key: projectKey(project),
            UpdateExpression: 'SET #host = :host',
            ConditionExpression: existing,
            ExpressionAttributeNames: hostName,
            ExpressionAttributeValues: { ':host': host },
          },
        },
      ]),
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

  /** Takes a host away. A project that showed it goes back to its folder on the shared host. */
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
