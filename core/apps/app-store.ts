import { limits } from '../base/limits.ts';
import { failure, mobileAppNotFound } from '../base/messages.ts';
import { appCountKey, appKey, appsOf } from '../table/keys.ts';
import { itemsFrom } from '../table/ranges.ts';
import {
  ConditionFailed,
  type Item,
  orThrow,
  type Part,
  type PartOrChoice,
  type Table,
} from '../table/table.ts';
import { updateOf } from '../table/update.ts';
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
    const keys = ids.map((id) => appKey(project, id));
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
    const set = { ...change, updatedAt: now.toISOString() };
    const update = updateOf(appKey(project, id), { set, when: 'attribute_exists(#PK)' });
    return fromItem(await orThrow(table.update({ ...update, ReturnValues: 'ALL_NEW' }), mobileAppNotFound));
  },

  /**
   * Deletes an app for good. Links keep its id but show and follow it no more, because an association counts only
   * while its app exists. Throws MOBILE_APP_NOT_FOUND.
   */
  async delete(project: string, id: string): Promise<void> {
    const deletion = { Delete: { Key: appKey(project, id), ConditionExpression: 'attribute_exists(PK)' } };
    await orThrow(table.transact([deletion, countApps(project, -1)]), mobileAppNotFound);
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
  Update: updateOf(appCountKey(project), {
    add: { n: change },
    ...(change > 0 && {
      when: 'attribute_not_exists(#n) OR #n <= :room',
      values: { room: limits.appsPerProject - change },
    }),
  }),
});

const allOf = (project: string) => itemsFrom(appsOf(project));

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
