import { aMessage, anId, aTime, coded } from './api.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies are whatever a request carries
export type Fields = any;

/** The expected response by the contract; matchers replace what only the service can know. */
export interface Expected {
  readonly status: number;
  readonly body: object;
  /** Takes over what the service has returned: ids, codes and times. */
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

const fields = [
  'bundleId',
  'appStoreFallback',
  'appStoreId',
  'iosMinVersion',
  'packageName',
  'playStoreFallback',
  'androidMinVersion',
];
const ofAndroid = new Set(['packageName', 'playStoreFallback', 'androidMinVersion']);

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
    const unset = Object.fromEntries(fields.map((field) => [field, draft[field] ?? null]));
    const app = { id: anId, name, platform, ...unset, createdAt: aTime, updatedAt: aTime };
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
export const savedApp = (section: string, name: string, settings: Fields) => ({
  ...Object.fromEntries(fields.map((field) => [field, null])),
  name,
  createdAt: aTime,
  updatedAt: aTime,
  ...(section === 'ios'
    ? {
        platform: 'IOS',
        bundleId: settings.bundleId,
        appStoreFallback: settings.app_store_fallback ?? null,
        appStoreId: settings.app_store_id ?? null,
        iosMinVersion: settings.min_version ?? null,
      }
    : {
        platform: 'ANDROID',
        packageName: settings.package,
        playStoreFallback: settings.store_fallback ?? null,
        androidMinVersion: settings.min_version ?? null,
      }),
});
