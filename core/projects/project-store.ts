import { contentOf, updated } from '../table/content.ts';
import { listings, projectKey, projectListing, suspendedKey } from '../table/keys.ts';
import { listedUnder } from '../table/ranges.ts';
import { met, type Part, putIfFree, type Table } from '../table/table.ts';
import { type ItemUpdate, updateOf } from '../table/update.ts';
import type { Project } from './project.ts';

/** A project with what the link list needs: the segment that new links go to, and those before and after it. */
export interface StoredProject extends Project {
  readonly segment: string;
  readonly nextSegment?: string;
  readonly formerSegment?: string;
  /** When its first link was created, deleted or not. */
  readonly firstLinkAt?: string;
  readonly deletedAt?: string;
  /** The last suspension that is over, with some of those before. */
  readonly formerSuspension?: Suspension & { readonly earlier?: readonly Suspension[] };
}

type Suspension = Readonly<Record<'from' | 'to', string>>;

export const projectStore = (table: Table) => ({
  /** Throws if the project is missing, which a key that was let in rules out. */
  async get(id: string): Promise<StoredProject> {
    const project = await this.standing(id);
    if (!project) throw new Error(`There is no project ${id}`);
    return project;
  },

  async find(id: string): Promise<StoredProject | undefined> {
    const project = await this.standing(id);
    return project?.deletedAt === undefined ? project : undefined;
  },

  /** What is stored of a project, deleted or not. */
  async standing(id: string): Promise<StoredProject | undefined> {
    const item = await table.get(projectKey(id));
    return item && contentOf<StoredProject>(item);
  },

  /** False if the id is taken, also by a project that was deleted. */
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

  /** Suspends a project within seconds, until it is resumed. False if it doesn't exist. */
  suspend: (id: string, now: Date): Promise<boolean> =>
    changeWith(table, suspension(id), { first: { suspendedAt: now.toISOString() }, when: existing }),

  /** False if the project doesn't exist. */
  async resume(id: string, now: Date): Promise<boolean> {
    const { suspendedAt, formerSuspension: former } = ((await table.get(projectKey(id))) ??
      {}) as Partial<StoredProject>;
    const earlier = former && [{ from: former.from, to: former.to }, ...(former.earlier ?? [])].slice(0, 10);
    // What happened meanwhile may still have to be told from what came before.
    const formerSuspension = suspendedAt && { from: suspendedAt, to: now.toISOString(), earlier };
    const change = { set: { formerSuspension }, remove: ['suspendedAt'], when: existing };
    return changeWith(table, { id, part: { Delete: { Key: suspendedKey(id) } } }, change);
  },

  /**
   * Leaves of a project what keeps its id taken, so that no other project's short URLs are ever found under it, and
   * suspends it for good: whatever is written late redirects nobody. False if there never was such a project;
   * marking again changes nothing.
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

/** Changes a project together with what it is among those suspended. False if the condition is not met. */
const changeWith = (table: Table, { id, part }: { id: string; part: Part }, change: ItemUpdate) =>
  met(table.transact([{ Update: updateOf(projectKey(id), change) }, part]));

/** The changed project; undefined if there is none with this id. */
const change = async (
  table: Table,
  id: string,
  set: Partial<Pick<Project, 'name' | 'subscription'>>,
): Promise<StoredProject | undefined> => {
  const item = await updated(table, projectKey(id), { set, when: existing });
  return item && contentOf<StoredProject>(item);
};

/** The condition that a project is there and not deleted. */
export const existing = 'attribute_exists(#PK) AND attribute_not_exists(#deletedAt)';
