import { limits } from '../base/limits.ts';
import { failure, mobileAppNotFound } from '../base/messages.ts';
import { type ResultRecord, recordedParts } from '../idempotency/idempotency-store.ts';
import { contentOf, updated } from '../table/content.ts';
import { appCountKey, appKey, projectAppsKey } from '../table/keys.ts';
import { itemsFrom } from '../table/ranges.ts';
import { ConditionFailed, orThrow, type Part, type PartOrChoice, type Table } from '../table/table.ts';
import { putNew, updateOf } from '../table/update.ts';
import type { AppPlatform } from './app-fields.ts';
import type { MobileApp, MobileAppChange } from './mobile-app.ts';

export const appStore = (table: Table) => ({
  async find(project: string, id: string): Promise<MobileApp | undefined> {
    const item = await table.get(appKey(project, id));
    return item && contentOf<MobileApp>(item);
  },

  /** An app by its id. Throws MOBILE_APP_NOT_FOUND. */
  async get(project: string, id: string): Promise<MobileApp> {
    const app = await this.find(project, id);
    if (!app) throw mobileAppNotFound();
    return app;
  },

  /** A project's apps, newest first. */
  async list(project: string): Promise<MobileApp[]> {
    const apps = (await table.query(itemsFrom(projectAppsKey(project)))).map(contentOf<MobileApp>);
    return apps.sort((a, b) => compare(b.createdAt, a.createdAt) || compare(a.id, b.id));
  },

  /** The platforms of existing apps by their ids. */
  async existing(project: string, ids: readonly string[]): Promise<ReadonlyMap<string, AppPlatform>> {
    const keys = ids.map((id) => appKey(project, id));
    const items = await table.batchGet(keys, ['id', 'platform']);
    return new Map(items.map(({ id, platform }) => [String(id), platform as AppPlatform]));
  },

  /**
   * Stores a new app. Throws VALIDATION_ERROR if the project is at its limit, and ConditionFailed if another call with
   * the key of `record` was first.
   */
  create: (project: string, app: MobileApp, record?: ResultRecord): Promise<void> =>
    transactWithApps(table, project, [app], recordedParts(record, { id: app.id, createdAt: app.createdAt })),

  /** Changes the given fields of an app. Throws MOBILE_APP_NOT_FOUND. */
  async update(
    project: string,
    id: string,
    { change, now }: { readonly change: MobileAppChange; readonly now: Date },
  ): Promise<MobileApp> {
    const set = { ...change, updatedAt: now.toISOString() };
    const item = await updated(table, appKey(project, id), { set, when: 'attribute_exists(#PK)' });
    if (!item) throw mobileAppNotFound();
    return contentOf(item);
  },

  /** Deletes an app permanently. Links keep its id, but no longer show or use it. Throws MOBILE_APP_NOT_FOUND. */
  async delete(project: string, id: string): Promise<void> {
    const deletion = { Delete: { Key: appKey(project, id), ConditionExpression: 'attribute_exists(PK)' } };
    await orThrow(table.transact([deletion, countApps(project, -1)]), mobileAppNotFound);
  },
});

/**
 * Makes writes together with new apps, all or none. Throws VALIDATION_ERROR if the project has no room for the apps,
 * and ConditionFailed like any transaction.
 */
export const transactWithApps = async (
  table: Table,
  project: string,
  apps: readonly MobileApp[],
  parts: readonly PartOrChoice[],
): Promise<void> => {
  if (apps.length === 0) return table.transact(parts);
  const saved = apps.map((app) => putNew(appKey(project, app.id), app));
  try {
    await table.transact([...parts, ...saved, countApps(project, apps.length)]);
  } catch (error) {
    const isFull = error instanceof ConditionFailed && error.part === parts.length + saved.length;
    throw isFull ? failure('tooManyApps') : error;
  }
};

/** A write that changes the count of a project's apps, so that concurrent creations can't exceed the limit. */
const countApps = (project: string, change: number): Part => ({
  Update: updateOf(appCountKey(project), {
    add: { n: change },
    ...(change > 0 && {
      when: 'attribute_not_exists(#n) OR #n <= :room',
      values: { room: limits.appsPerProject - change },
    }),
  }),
});

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
