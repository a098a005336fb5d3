import { contentOf, updated } from '../table/content.ts';
import { listings, projectKey, projectListing, suspendedKey } from '../table/keys.ts';
import { listedUnder } from '../table/ranges.ts';
import { met, type Part, putIfFree, type Table } from '../table/table.ts';
import { type ItemUpdate, updateOf } from '../table/update.ts';
import type { Project } from './project.ts';

/** A project with the segments of its link list: the current one, the next and the former. */
export interface StoredProject extends Project {
  readonly segment: string;
  readonly nextSegment?: string;
  readonly formerSegment?: string;
  /** Creation time of its first link, deleted or not. */
  readonly firstLinkAt?: string;
  readonly deletedAt?: string;
  /** The last suspension that has ended, with some earlier ones. */
  readonly formerSuspension?: Suspension & { readonly earlier?: readonly Suspension[] };
}

type Suspension = Readonly<Record<'from' | 'to', string>>;

export const projectStore = (table: Table) => ({
  /** A project that exists. Throws otherwise, which can't happen for an admitted key. */
  async get(id: string): Promise<StoredProject> {
    const project = await this.standing(id);
    if (!project) throw new Error(`There is no project ${id}`);
    return project;
  },

  async find(id: string): Promise<StoredProject | undefined> {
    const project = await this.standing(id);
    return project?.deletedAt === undefined ? project : undefined;
  },

  /** A stored project, deleted or not. */
  async standing(id: string): Promise<StoredProject | undefined> {
    const item = await table.get(projectKey(id));
    return item && contentOf<StoredProject>(item);
  },

  /** Stores a new project. False if the id is taken, including by a deleted project. */
  async create(project: Project): Promise<boolean> {
    const made: StoredProject = { ...project, segment: project.createdAt };
    return putIfFree(table, { ...projectKey(project.id), ...projectListing(project.id), ...made });
  },

  async list(): Promise<StoredProject[]> {
    const items = await table.query(listedUnder(listings.projects));
    return items.map(contentOf<StoredProject>);
  },

  setSubscription: (id: string, subscription: Project['subscription']): Promise<StoredProject | undefined> =>
    change(table, id, { subscription }),

  rename: (id: string, name: string): Promise<StoredProject | undefined> => change(table, id, { name }),

  /** Suspends a project until it is resumed; it takes effect within seconds. False if the project doesn't exist. */
  suspend: (id: string, now: Date): Promise<boolean> =>
    changeWith(table, suspension(id), { first: { suspendedAt: now.toISOString() }, when: existing }),

  /** Resumes a project. False if it doesn't exist. */
  async resume(id: string, now: Date): Promise<boolean> {
    const { suspendedAt, formerSuspension: former } = ((await table.get(projectKey(id))) ??
      {}) as Partial<StoredProject>;
    const earlier = former && [{ from: former.from, to: former.to }, ...(former.earlier ?? [])].slice(0, 10);
    // Events may still be processed later, so suspensions are stored.
    const formerSuspension = suspendedAt && { from: suspendedAt, to: now.toISOString(), earlier };
    const change = { set: { formerSuspension }, remove: ['suspendedAt'], when: existing };
    return changeWith(table, { id, part: { Delete: { Key: suspendedKey(id) } } }, change);
  },

  /**
   * Marks a project as deleted. Its id stays taken, so that no other project's short URLs are ever found under it, and
   * it is suspended permanently, so that late writes redirect nobody. False if it never existed; a repeated call
   * changes nothing.
   */
  markDeleted: (id: string, now: Date): Promise<boolean> =>
    changeWith(table, suspension(id), {
      set: { subscription: 'inactive' },
      first: { deletedAt: now.toISOString() },
      remove: ['LPK', 'LSK', 'name', 'host'],
      when: 'attribute_exists(#PK)',
    }),
});

const suspension = (id: string) => ({ id, part: { Put: { Item: suspendedKey(id) } } });

/** Changes a project together with its entry in the list of suspended ones. False if the condition isn't met. */
const changeWith = (table: Table, { id, part }: { id: string; part: Part }, change: ItemUpdate) =>
  met(table.transact([{ Update: updateOf(projectKey(id), change) }, part]));

/** Changes a project. Resolves to it, or undefined if it doesn't exist. */
const change = async (table: Table, id: string, set: Partial<Pick<Project, 'name' | 'subscription'>>) => {
  const item = await updated(table, projectKey(id), { set, when: existing });
  return item && contentOf<StoredProject>(item);
};

/** The condition that a project exists and isn't deleted. */
export const existing = 'attribute_exists(#PK) AND attribute_not_exists(#deletedAt)';
