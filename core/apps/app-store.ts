import { Failure, mobileAppNotFound } from '../failure.ts';
import { limits } from '../limits.ts';
import { appKey } from '../table/keys.ts';
import { ConditionFailed, type Item, type Part, removed, stored, type Table } from '../table/table.ts';
import type { MobileApp, MobileAppChange } from './mobile-app.ts';

const fromItem = ({ PK, SK, ...app }: Item) => app as unknown as MobileApp;

export interface AppUpdate {
  readonly change: MobileAppChange;
  readonly now: Date;
}

export const appStore = (table: Table) => ({
  async find(project: string, id: string): Promise<MobileApp | undefined> {
    const item = await table.get(appKey(project, id));
    return item && fromItem(item);
  },

  /** Throws MOBILE_APP_NOT_FOUND. */
  async get(project: string, id: string): Promise<MobileApp> {
    const item = await table.get(appKey(project, id));
    if (!item) throw mobileAppNotFound();
    return fromItem(item);
  },

  /** Newest first. */
  async list(project: string): Promise<MobileApp[]> {
    const items = await table.query(allOf(project));
    return items.map(fromItem).sort((a, b) => compare(b.createdAt, a.createdAt) || compare(a.id, b.id));
  },

  /** Throws VALIDATION_ERROR when the project has as many apps as it may have. */
  async requireRoom(project: string): Promise<void> {
    const items = await table.query({ ...allOf(project), ProjectionExpression: 'SK' });
    if (items.length >= limits.appsPerProject) {
      throw new Failure(
        'VALIDATION_ERROR',
        `A project can have ${limits.appsPerProject} mobile apps at most`,
      );
    }
  },

  async create(project: string, app: MobileApp): Promise<void> {
    const isNew = await stored(table, { ...appKey(project, app.id), ...app });
    if (!isNew) throw new Error(`There is an app ${app.id} already`);
  },

  /** Only the given fields change. Throws MOBILE_APP_NOT_FOUND. */
  async update(project: string, id: string, { change, now }: AppUpdate): Promise<MobileApp> {
    const fields = Object.entries({ ...change, updatedAt: now.toISOString() }).filter(
      ([, value]) => value !== undefined,
    );
    try {
      const updated = await table.update({
        Key: appKey(project, id),
        UpdateExpression: `SET ${fields.map((_, i) => `#f${i} = :f${i}`).join(', ')}`,
        ConditionExpression: 'attribute_exists(PK)',
        ExpressionAttributeNames: Object.fromEntries(fields.map(([name], i) => [`#f${i}`, name])),
        ExpressionAttributeValues: Object.fromEntries(fields.map(([, value], i) => [`:f${i}`, value])),
        ReturnValues: 'ALL_NEW',
      });
      return fromItem(updated);
    } catch (error) {
      if (error instanceof ConditionFailed) throw mobileAppNotFound();
      throw error;
    }
  },

  /**
   * Deletes an app for good. Links keep its id but show and follow it no more, because an association counts only
   * while its app exists. Throws MOBILE_APP_NOT_FOUND.
   */
  async delete(project: string, id: string): Promise<void> {
    const deleted = await removed(table, appKey(project, id));
    if (!deleted) throw mobileAppNotFound();
  },
});

/** The write of a new app, for a transaction. */
export const putApp = (project: string, app: MobileApp): Part => ({
  Put: { Item: { ...appKey(project, app.id), ...app }, ConditionExpression: 'attribute_not_exists(PK)' },
});

const allOf = (project: string) => {
  const { PK, SK } = appKey(project, '');
  return {
    KeyConditionExpression: 'PK = :project AND begins_with(SK, :app)',
    ExpressionAttributeValues: { ':project': PK, ':app': SK },
    ConsistentRead: true,
  };
};

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
