import { type AppSectionName, namedAppFields, sectionSettings } from '../../core/apps/app-fields.ts';
import { aMessage, anId, aTime, coded } from './api.ts';
import { fieldsOfPlatform } from './app-fields.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies are whatever a request carries
export type Fields = any;

/** The expected response by the contract; matchers replace values that only the service knows. */
export interface Expected {
  readonly status: number;
  readonly body: object;
  /** Adopts the service's ids, codes and times. */
  readonly learn?: (data: Fields) => void;
}

export const ok = (data: unknown, learn?: Expected['learn']): Expected => ({
  status: 200,
  body: { success: true, data },
  ...(learn && { learn }),
});
export const refused = (status: number, code: string): Expected => ({ status, body: coded(code) });
export const stamped = ({ body, ...rest }: Expected): Expected => ({
  ...rest,
  body: { ...body, timestamp: aTime },
});
export const plain = (status: number, error: unknown): Expected => ({
  status,
  body: { success: false, error },
});

// Names come from the service's table; their validation and presentation are the model's own.
const fields: readonly string[] = namedAppFields.map(([field]) => field);
const ofAndroid: ReadonlySet<string> = new Set(fieldsOfPlatform('ANDROID'));

/** Every field of an app; missing ones are null. */
export const shownFields = (given: Fields): Fields =>
  Object.fromEntries(fields.map((field) => [field, given[field] ?? null]));

/** The contract of mobile apps over a plain map. */
export class AppsModel {
  readonly apps = new Map<string, Fields>();

  createApp(draft: Fields): Expected {
    const [identifier, foreign] =
      draft.platform === 'IOS'
        ? ['bundleId', ofAndroid]
        : ['packageName', new Set(fields.filter((field) => !ofAndroid.has(field)))];
    const given = fields.filter((field) => draft[field] !== undefined && draft[field] !== null);
    if (!given.includes(identifier) || given.some((field) => foreign.has(field))) {
      return stamped(refused(400, 'VALIDATION_ERROR'));
    }
    const { name, platform } = draft;
    const app = { id: anId, name, platform, ...shownFields(draft), createdAt: aTime, updatedAt: aTime };
    return stamped({ ...ok(app, (data) => this.apps.set(data.id, data)), status: 201 });
  }

  listApps(): Expected {
    const apps = [...this.apps.values()].sort((a, b) =>
      a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt < b.createdAt ? 1 : -1,
    );
    return stamped(ok({ apps, total: apps.length }));
  }

  getApp(id: string): Expected {
    const app = this.apps.get(id);
    return stamped(app ? ok(app) : plain(404, 'Mobile app not found'));
  }

  updateApp(id: string, change: Fields): Expected {
    const app = this.apps.get(id);
    if (!app) return stamped(plain(404, 'Mobile app not found'));
    const isAndroid = app.platform === 'ANDROID';
    const foreign = fields.some((field) => change[field] != null && ofAndroid.has(field) !== isAndroid);
    if (foreign || change[isAndroid ? 'packageName' : 'bundleId'] === null) {
      return stamped(refused(400, 'VALIDATION_ERROR'));
    }
    const changed = { ...app, ...change, updatedAt: aTime };
    return stamped(ok(changed, (data) => this.apps.set(id, data)));
  }

  deleteApp(id: string): Expected {
    if (!this.apps.has(id)) return stamped(plain(404, 'Mobile app not found'));
    return stamped(ok({ message: aMessage }, () => this.apps.delete(id)));
  }
}

/** The app that a section of a link's payload asks to be saved. */
export const savedApp = (section: AppSectionName, name: string, settings: Fields) => ({
  ...shownFields(
    Object.fromEntries(
      sectionSettings(section).map(([setting, { saved }]) => [saved?.as, settings[setting]]),
    ),
  ),
  name,
  platform: section === 'ios' ? 'IOS' : 'ANDROID',
  createdAt: aTime,
  updatedAt: aTime,
});
