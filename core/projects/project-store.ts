import { listings, projectKey, projectListing, suspendedKey } from '../table/keys.ts';
import { listedUnder } from '../table/ranges.ts';
import { ConditionFailed, type Item, met, stored, type Table } from '../table/table.ts';
import type { Project } from './project.ts';

/** A project with what the link list needs: the segment that new links go to, and those before and after it. */
export interface StoredProject extends Project {
  readonly segment: string;
  readonly nextSegment?: string;
  readonly formerSegment?: string;
  /** When its first link was created, deleted or not. */
  readonly firstLinkAt?: string;
  readonly deletedAt?: string;
  /** The last suspension that is over. */
  readonly formerSuspension?: { readonly from: string; readonly to: string };
}

const fromItem = ({ PK, SK, LPK, LSK, ...project }: Item) => project as unknown as StoredProject;

export const projectStore = (table: Table) => ({
  /** Throws if the project is missing, which a key that was let in rules out. */
  async get(id: string): Promise<StoredProject> {
    const item = await table.get(projectKey(id));
    if (!item) throw new Error(`There is no project ${id}`);
    return fromItem(item);
  },

  async find(id: string): Promise<StoredProject | undefined> {
    const item = await table.get(projectKey(id));
    return item && item.deletedAt === undefined ? fromItem(item) : undefined;
  },

  /** What is stored of a project, deleted or not. */
  async standing(id: string): Promise<StoredProject | undefined> {
    const item = await table.get(projectKey(id));
    return item && fromItem(item);
  },

  /** False if the id is taken, also by a project that was deleted. */
  async create(project: Project): Promise<boolean> {
    const made: StoredProject = { ...project, segment: project.createdAt };
    return stored(table, { ...projectKey(project.id), ...projectListing(project.id), ...made });
  },

  async list(): Promise<StoredProject[]> {
    const items = await table.query(listedUnder(listings.projects));
    return items.map(fromItem);
  },

  /** The changed project; undefined if there is none with this id. */
  setSubscription: (id: string, subscription: Project['subscription']): Promise<StoredProject | undefined> =>
    change(table, id, { subscription }),

  /** The changed project; undefined if there is none with this id. */
  rename: (id: string, name: string): Promise<StoredProject | undefined> => change(table, id, { name }),

  /** Suspends a project within seconds, until it is resumed. False if it doesn't exist. */
  suspend: (id: string, now: Date): Promise<boolean> =>
    met(
      table.transact([
        {
          Update: {
            Key: projectKey(id),
            UpdateExpression: 'SET suspendedAt = if_not_exists(suspendedAt, :now)',
            ConditionExpression: existing,
            ExpressionAttributeValues: { ':now': now.toISOString() },
          },
        },
        { Put: { Item: suspendedKey(id) } },
      ]),
    ),

  /** False if the project doesn't exist. */
  async resume(id: string, now: Date): Promise<boolean> {
    const suspendedAt = (await table.get(projectKey(id)))?.suspendedAt;
    // What happened meanwhile may still have to be told from what came before.
    const former = suspendedAt !== undefined && { from: suspendedAt, to: now.toISOString() };
    return met(
      table.transact([
        {
          Update: {
            Key: projectKey(id),
            UpdateExpression: `${former ? 'SET formerSuspension = :former ' : ''}REMOVE suspendedAt`,
            ConditionExpression: existing,
            ...(former && { ExpressionAttributeValues: { ':former': former } }),
          },
        },
        { Delete: { Key: suspendedKey(id) } },
      ]),
    );
  },

  /**
   * Leaves of a project what keeps its id taken, so that no other project's short URLs are ever found under it, and
   * suspends it for good: whatever is written late redirects nobody. False if there never was such a project;
   * marking again changes nothing.
   */
  markDeleted: (id: string, now: Date): Promise<boolean> =>
    met(
      table.transact([
        {
          Update: {
            Key: projectKey(id),
            UpdateExpression:
              'SET deletedAt = if_not_exists(deletedAt, :now), subscription = :none REMOVE LPK, LSK, #name, #host',
            ConditionExpression: 'attribute_exists(PK)',
            ExpressionAttributeNames: { '#name': 'name', '#host': 'host' },
            ExpressionAttributeValues: { ':now': now.toISOString(), ':none': 'inactive' },
          },
        },
        { Put: { Item: suspendedKey(id) } },
      ]),
    ),
});

const change = async (
  table: Table,
  id: string,
  fields: Partial<Pick<Project, 'name' | 'subscription'>>,
): Promise<StoredProject | undefined> => {
  const names = Object.keys(fields);
  try {
    const item = await table.update({
      Key: projectKey(id),
      UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
      ConditionExpression: existing,
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [`:${name}`, value]),
      ),
      ReturnValues: 'ALL_NEW',
    });
    return fromItem(item);
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
};

/** The condition that a project is there and not deleted. */
export const existing = 'attribute_exists(PK) AND attribute_not_exists(deletedAt)';
