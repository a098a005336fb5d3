import { type MobileApp, type MobileAppDraft, savedSettings } from '../../core/apps/mobile-app.ts';
import { met } from '../../core/table/table.ts';
import type { Deployment } from '../deployment/deployment.ts';

/** An app in a row. */
export interface BroughtApp extends MobileAppDraft {
  /** Its id in the row's payload. */
  readonly id: string;
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
}

/**
 * A project's saved apps, in memory. An app from a row is the project's app with the same fields; if there is
 * none, it is created once, under its own id if that is free.
 */
export const projectApps = async ({ stores }: Deployment, project: string, newId: () => string) => {
  const stored = await stores.apps.list(project);
  const byId = new Map(stored.map((app) => [app.id, app]));
  const byContent = new Map(stored.map((app) => [contentOf(app), app]));
  /** Apps that are not stored yet. */
  const planned = new Set<string>();

  /** Adopts the stored app with a planned one's id. Returns whether it has the same fields. */
  const adopt = async (app: MobileApp): Promise<boolean> => {
    const there = await stores.apps.get(project, app.id);
    byContent.delete(contentOf(app));
    byContent.set(contentOf(there), there);
    byId.set(there.id, there);
    return contentOf(there) === contentOf(app);
  };

  return {
    find: (id: string | undefined): MobileApp | undefined => (id === undefined ? undefined : byId.get(id)),

    /** The project's app with this content; planned if there is none. */
    plan(brought: BroughtApp, now: Date): MobileApp {
      const found = byContent.get(contentOf(brought));
      if (found) return found;
      const id = byId.has(brought.id) ? newId() : brought.id;
      const time = now.toISOString();
      const app: MobileApp = {
        ...savedSettings(brought),
        id,
        name: brought.name,
        platform: brought.platform,
        createdAt: brought.createdAt ?? time,
        updatedAt: brought.updatedAt ?? brought.createdAt ?? time,
      };
      byId.set(id, app);
      byContent.set(contentOf(app), app);
      planned.add(id);
      return app;
    },

    /**
     * Stores those of these apps that are only planned. False if another import has stored a different app under one
     * of the ids meanwhile: then the row must be planned again. Throws VALIDATION_ERROR when the project has no room.
     */
    async store(ids: readonly string[]): Promise<boolean> {
      for (const id of ids) {
        const app = byId.get(id);
        if (!app || !planned.has(id)) continue;
        // An app that another import saved under another id is saved twice, which is harmless.
        const isStored = await met(stores.apps.create(project, app));
        planned.delete(id);
        if (!isStored && !(await adopt(app))) return false;
      }
      return true;
    },
  };
};

export type ProjectApps = Awaited<ReturnType<typeof projectApps>>;

const contentOf = (app: MobileAppDraft): string =>
  JSON.stringify([app.platform, app.name, ...Object.values(savedSettings(app))]);
