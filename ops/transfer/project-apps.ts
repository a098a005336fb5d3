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
export class ProjectApps {
  readonly #deployment: Deployment;
  readonly #project: string;
  readonly #byId: Map<string, MobileApp>;
  readonly #byContent: Map<string, MobileApp>;
  /** Apps that are not stored yet. */
  readonly #planned = new Set<string>();
  readonly #newId: () => string;

  private constructor(
    deployment: Deployment,
    project: string,
    apps: readonly MobileApp[],
    newId: () => string,
  ) {
    this.#deployment = deployment;
    this.#project = project;
    this.#byId = new Map(apps.map((app) => [app.id, app]));
    this.#byContent = new Map(apps.map((app) => [contentOf(app), app]));
    this.#newId = newId;
  }

  static async of(deployment: Deployment, project: string, newId: () => string): Promise<ProjectApps> {
    return new ProjectApps(deployment, project, await deployment.stores.apps.list(project), newId);
  }

  find(id: string | undefined): MobileApp | undefined {
    return id === undefined ? undefined : this.#byId.get(id);
  }

  ids(): ReadonlySet<string | undefined> {
    return new Set(this.#byId.keys());
  }

  /** The project's app with this content; planned if there is none. */
  plan(brought: BroughtApp, now: Date): MobileApp {
    const found = this.#byContent.get(contentOf(brought));
    if (found) return found;
    const id = this.#byId.has(brought.id) ? this.#newId() : brought.id;
    const time = now.toISOString();
    const app: MobileApp = {
      ...savedSettings(brought),
      id,
      name: brought.name,
      platform: brought.platform,
      createdAt: brought.createdAt ?? time,
      updatedAt: brought.updatedAt ?? brought.createdAt ?? time,
    };
    this.#byId.set(id, app);
    this.#byContent.set(contentOf(app), app);
    this.#planned.add(id);
    return app;
  }

  /**
   * Stores those of these apps that are only planned. False if another import has stored a different app under one
   * of the ids meanwhile: then the row must be planned again. Throws VALIDATION_ERROR when the project has no room.
   */
  async store(ids: readonly string[]): Promise<boolean> {
    for (const id of ids) {
      const app = this.#byId.get(id);
      if (!app || !this.#planned.has(id)) continue;
      // An app that another import saved under another id is saved twice, which is harmless.
      const isStored = await met(this.#deployment.stores.apps.create(this.#project, app));
      this.#planned.delete(id);
      if (!isStored && !(await this.#meet(app))) return false;
    }
    return true;
  }

  /** Adopts the stored app with a planned one's id. Returns whether it has the same fields. */
  async #meet(planned: MobileApp): Promise<boolean> {
    const there = await this.#deployment.stores.apps.get(this.#project, planned.id);
    this.#byContent.delete(contentOf(planned));
    this.#byContent.set(contentOf(there), there);
    this.#byId.set(there.id, there);
    return contentOf(there) === contentOf(planned);
  }
}

const contentOf = (app: MobileAppDraft): string =>
  JSON.stringify([app.platform, app.name, ...Object.values(savedSettings(app))]);
