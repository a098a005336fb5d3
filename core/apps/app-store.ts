import { limits } from '../base/limits.ts';
import { failure, mobileAppNotFound } from '../base/messages.ts';
import { appCountKey, appKey, appsOf } from '../table/keys.ts';
import { itemsFrom } from '../table/ranges.ts';
import { ConditionFailed, type Item, met, type Part, type PartOrChoice, type Table } from '../table/table.ts';
import type { AppPlatform } from './app-fields.ts';
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

  /** Those of these apps that exist, with their platforms. */
  async existing(project: string, ids: readonly string[]): Promise<ReadonlyMap<string, AppPlatform>> {
    const keys = [...new Set(ids)].map((id) => appKey(project, id));
    const items = keys.length > 0 ? await table.batchGet(keys, ['id', 'platform']) : [];
    return new Map(items.map(({ id, platform }) => [String(id), platform as AppPlatform]));
  },

  /**
   * Throws VALIDATION_ERROR when the project has as many apps as it may have, and ConditionFailed if the condition of a
   * write that remembers the creation fails.
   */
  create: (project: string, app: MobileApp, remembered: readonly Part[] = []): Promise<void> =>
    transactWithApps(table, { project, apps: [app], parts: remembered }),

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
    const deleted = await met(
      table.transact([
        { Delete: { Key: appKey(project, id), ConditionExpression: 'attribute_exists(PK)' } },
        countApps(project, -1),
      ]),
    );
    if (!deleted) throw mobileAppNotFound();
  },
});

/** New apps of a project, and what else is written with them. */
interface AppsInTransaction {
  readonly project: string;
  readonly apps: readonly MobileApp[];
  readonly parts: readonly PartOrChoice[];
}

/**
 * Makes writes together with new apps: all or none. Throws VALIDATION_ERROR when the project has no room for all of
 * the apps, and ConditionFailed like any transaction.
 */
export const transactWithApps = async (
  table: Table,
  { project, apps, parts }: AppsInTransaction,
): Promise<void> => {
  if (apps.length === 0) return table.transact(parts);
  const saved = apps.map((app) => putApp(project, app));
  try {
    await table.transact([...parts, ...saved, countApps(project, apps.length)]);
  } catch (error) {
    const isFull = error instanceof ConditionFailed && error.part === parts.length + saved.length;
    throw isFull ? failure('tooManyApps') : error;
  }
};

const putApp = (project: string, app: MobileApp): Part => ({
  Put: { Item: { ...appKey(project, app.id), ...app }, ConditionExpression: 'attribute_not_exists(PK)' },
});

/**
 * Every write of an app updates the count of its project's apps, so concurrent creations can't exceed the
 * limit.
 */
const countApps = (project: string, change: number): Part => ({
  Update: {
    Key: appCountKey(project),
    UpdateExpression: 'ADD n :change',
    ...(change > 0 && { ConditionExpression: 'attribute_not_exists(n) OR n <= :room' }),
    ExpressionAttributeValues: {
      ':change': change,
      ...(change > 0 && { ':room': limits.appsPerProject - change }),
    },
  },
});

const allOf = (project: string) => itemsFrom(appsOf(project));

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
