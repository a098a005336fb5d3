import { type OwnFieldName, type OwnFields, ownFieldNames, ownFields } from '../../core/links/own-fields.ts';
import { aMessage, anId, aTime } from './api.ts';
import {
  AppsModel,
  type Expected,
  type Fields,
  ok,
  plain,
  refused,
  savedApp,
  stamped,
} from './api-model-apps.ts';

interface ModelLink extends OwnFields {
  id: unknown;
  code: string;
  status: string;
  payload: Fields;
  createdAt: unknown;
  updatedAt: unknown;
}

/** The addresses that a search looks in. The model draws no rules. */
const addressesOf = ({ link, desktop_fallback, android, ios, social }: Fields): (string | undefined)[] => [
  link,
  desktop_fallback,
  android?.store_fallback,
  ios?.app_store_fallback,
  social?.image,
];

const noStyle = { color: null, background: null, level: null, logo: null };

/** The contract over plain maps: one project, its links and its apps. */
export class ProjectModel extends AppsModel {
  readonly links = new Map<string, ModelLink>();
  /** Apps that links have saved, by link and field, before their ids are known. */
  readonly unread: { readonly code: string; readonly field: string; readonly app: Fields }[] = [];
  qrStyle: Readonly<Record<string, string | null>> = noStyle;
  readonly #attempts = new Map<string, { readonly sent: string; readonly data: unknown }>();
  readonly #usedCodes = new Set<string>();
  readonly #tags = new Set<string>();
  readonly #id: string;
  readonly #shortBase: string;

  constructor(id: string, shortBase: string) {
    super();
    this.#id = id;
    this.#shortBase = shortBase;
  }

  createLink({ code, payload, ...given }: Fields): Expected {
    const draft = this.#settle(payload);
    if (!draft || isPast(given.expiresAt)) return refused(400, 'VALIDATION_ERROR');
    if (code !== undefined && this.#usedCodes.has(code)) return refused(409, 'CODE_ALREADY_EXISTS');
    const link: ModelLink = {
      id: anId,
      code: code ?? expect.stringMatching(/^[A-Za-z0-9]{8,12}$/),
      status: given.status ?? 'ACTIVE',
      payload: withoutNulls(draft.payload),
      ...eachOwn((name) => kept(name, given[name])),
      createdAt: aTime,
      updatedAt: aTime,
    };
    const learn = (data: Fields) => {
      Object.assign(link, {
        id: data.id,
        code: data.code,
        createdAt: data.createdAt,
        updatedAt: data.createdAt,
      });
      this.links.set(link.code, link);
      this.#usedCodes.add(link.code);
      this.#note(link.tags);
      draft.save(link.code);
    };
    const { projectId, createdBy, updatedAt, payload: _, ...shown } = this.#show(link);
    return stamped({ ...ok({ ...shown, ...this.#aliases(link) }, learn), status: 201 });
  }

  /** Every link as one call would create it, in order. */
  createLinks(drafts: readonly Fields[]): Expected {
    const learning: Expected['learn'][] = [];
    const made = new Set<string>();
    const results = drafts.map((draft, index) => {
      const single = this.createLink(draft);
      const { status, body, learn } =
        single.status === 201 && made.has(draft.code) ? refused(409, 'CODE_ALREADY_EXISTS') : single;
      const { data, error } = body as Fields;
      if (status !== 201) return { index, success: false, error };
      if (draft.code !== undefined) made.add(draft.code);
      learning[index] = learn;
      return { index, success: true, link: data };
    });
    const created = results.filter(({ success }) => success).length;
    const learn = (data: Fields) => {
      for (const [index, one] of learning.entries()) one?.(data.results[index].link);
    };
    return ok({ created, failed: results.length - created, results }, learn);
  }

  /** The response to a call with an Idempotency-Key: the first call's, or a new one. */
  once(key: string, body: unknown, make: () => Expected): Expected {
    const sent = JSON.stringify(body);
    const before = this.#attempts.get(key);
    if (before && before.sent !== sent) return refused(409, 'IDEMPOTENCY_KEY_REUSED');
    if (before) return stamped({ status: 201, body: { success: true, data: before.data } });
    const { learn, ...expected } = make();
    if (!learn) return expected;
    return {
      ...expected,
      learn: (data) => {
        this.#attempts.set(key, { sent, data });
        learn(data);
      },
    };
  }

  listLinks({ page, pageSize }: { page: number; pageSize: number }): Expected {
    const all = [...this.links.values()].sort((a, b) => (place(a) < place(b) ? 1 : -1));
    const data = all.slice((page - 1) * pageSize, page * pageSize).map((link) => this.#show(link));
    const pagination = { page, pageSize, total: all.length, totalPages: Math.ceil(all.length / pageSize) };
    return { status: 200, body: { success: true, data, pagination } };
  }

  /** All pages of a walk, one after the other. */
  walkLinks({ tag, status, search }: { tag?: string; status?: string; search?: string }): Fields[] {
    return [...this.links.values()]
      .sort((a, b) => (place(a) < place(b) ? 1 : -1))
      .filter((link) => (tag?.toLowerCase().split(',') ?? []).every((one) => link.tags?.includes(one)))
      .filter((link) => (status ?? link.status) === link.status)
      .filter(({ code, name = '', payload }) =>
        [code, name, ...addressesOf(payload)].some((text) =>
          text?.toLowerCase().includes(search?.toLowerCase() ?? ''),
        ),
      )
      .map((link) => this.#show(link));
  }

  listTags(): Expected {
    return ok({ tags: [...this.#tags].sort(), total: this.#tags.size });
  }

  #note(tags: readonly string[] = []) {
    for (const tag of tags) this.#tags.add(tag);
  }

  getLink(code: string): Expected {
    const link = this.links.get(code);
    if (!link) return refused(404, 'LINK_NOT_FOUND');
    const analytics = {
      totalClicks: 0,
      uniqueClicks: 0,
      clicksByPlatform: { ios: 0, android: 0, web: 0 },
      clicksByCountry: {},
    };
    const learn = ({ updatedAt, payload }: Fields) => {
      link.updatedAt = updatedAt;
      // Apps that an update has saved.
      Object.assign(link.payload, payload);
    };
    return stamped(ok({ ...this.#show(link), ...this.#aliases(link), analytics }, learn));
  }

  updateLink(code: string, { payload, ...given }: Fields): Expected {
    const link = this.links.get(code);
    const draft = this.#settle(payload);
    // Either of two faults may be reported.
    if (!link && (!draft || isPast(given.expiresAt))) return { status: 0, body: {} };
    if (!draft || isPast(given.expiresAt)) return refused(400, 'VALIDATION_ERROR');
    if (!link) return plain(404, 'Link not found');
    return ok({ message: aMessage }, () => {
      Object.assign(
        link,
        eachOwn((name) => (given[name] === undefined ? link[name] : kept(name, given[name]))),
      );
      this.#note(link.tags);
      for (const [section, value] of Object.entries(draft.payload)) {
        if (value === null) delete link.payload[section];
        else link.payload[section] = value;
      }
      Object.assign(link, { updatedAt: aTime });
      draft.save(code);
    });
  }

  patchLink(code: string, { payload: patch = {}, ...given }: Fields): Expected {
    const link = this.links.get(code);
    const isDouble = (patch.android?.saveApp && patch.androidAppId) || (patch.ios?.saveApp && patch.iosAppId);
    if (isDouble || isPast(given.expiresAt)) return refused(400, 'VALIDATION_ERROR');
    if (!link) return plain(404, 'Link not found');
    const merged = mergedPayload(link.payload, patch);
    const { iosAppId, androidAppId, ios, android } = patch;
    const draft = this.#settle({
      ...(iosAppId && { iosAppId }),
      ...(androidAppId && { androidAppId }),
      ...(ios?.saveApp && { ios: { ...merged.ios, ...ios } }),
      ...(android?.saveApp && { android: { ...merged.android, ...android } }),
    });
    if (!draft) return refused(400, 'VALIDATION_ERROR');
    return ok({ message: aMessage }, () => {
      Object.assign(
        link,
        eachOwn((name) => (given[name] === undefined ? link[name] : kept(name, given[name]))),
      );
      this.#note(link.tags);
      const { iosAppId = merged.iosAppId, androidAppId = merged.androidAppId } = draft.payload;
      link.payload = { ...merged, ...(iosAppId && { iosAppId }), ...(androidAppId && { androidAppId }) };
      // A patch that changes nothing leaves the time.
      Object.assign(link, { updatedAt: aTime });
      draft.save(code);
    });
  }

  setStatus(code: string, status: string): Expected {
    const link = this.links.get(code);
    if (!['ACTIVE', 'PAUSED'].includes(status)) return refused(400, 'VALIDATION_ERROR');
    if (!link) return refused(404, 'LINK_NOT_FOUND');
    if (link.status === status) return refused(400, 'BAD_REQUEST');
    return ok({ message: aMessage, id: link.id, code, status, updatedAt: aTime }, ({ updatedAt }) => {
      Object.assign(link, { status, updatedAt });
    });
  }

  setQrStyle(body: Readonly<Record<string, string | null>>): Expected {
    if (body.color === 'ffee00') return refused(400, 'VALIDATION_ERROR');
    this.qrStyle = { ...noStyle, ...body, color: body.color?.toLowerCase() ?? null };
    return ok(this.qrStyle);
  }

  deleteLink(code: string): Expected {
    const link = this.links.get(code);
    if (!link) return refused(404, 'LINK_NOT_FOUND');
    return ok({ message: aMessage, id: link.id, code }, () => this.links.delete(code));
  }

  countClicks(code: string): Expected {
    if (!this.links.has(code)) return refused(404, 'LINK_NOT_FOUND');
    return stamped(ok({ clicks: 0, uniqueClicks: 0 }));
  }

  checkCode(code: string): Expected {
    return ok({ code, available: !this.#usedCodes.has(code), message: aMessage });
  }

  /** The stored payload, and a function that saves its apps; undefined if it is refused. */
  #settle({ android, ios, ...payload }: Fields) {
    if (payload.iosAppId && this.apps.get(payload.iosAppId)?.platform !== 'IOS') return undefined;
    if (payload.androidAppId && this.apps.get(payload.androidAppId)?.platform !== 'ANDROID') return undefined;
    if ((android?.saveApp && payload.androidAppId) || (ios?.saveApp && payload.iosAppId)) return undefined;
    const kept = { ...payload, ...(payload.data !== undefined && { data: textsOf(payload.data) }) };
    const saved: [string, Fields][] = [];
    for (const [section, value] of [
      ['android', android],
      ['ios', ios],
    ] as const) {
      if (value === undefined) continue;
      const { saveApp, appName, ...settings } = value ?? {};
      kept[section] = value && settings;
      if (!saveApp) continue;
      if (!(appName && (settings.package ?? settings.bundleId))) return undefined;
      kept[`${section}AppId`] = anId;
      saved.push([`${section}AppId`, savedApp(section, appName, settings)]);
    }
    return {
      payload: kept,
      save: (code: string) => this.unread.push(...saved.map(([field, app]) => ({ code, field, app }))),
    };
  }

  #show(link: ModelLink): Fields {
    const { iosAppId, androidAppId, ...payload } = link.payload;
    const shortUrl = this.#shortUrl(link);
    return {
      id: link.id,
      code: link.code,
      shortUrl,
      ...eachOwn((name) => link[name]),
      status: link.status,
      qrCode: typeof shortUrl === 'string' ? `${shortUrl}/qr.png` : expect.any(String),
      payload: {
        ...payload,
        ...(this.#exists(iosAppId) && { iosAppId }),
        ...(this.#exists(androidAppId) && { androidAppId }),
      },
      createdAt: link.createdAt,
      clickCount: 0,
      projectId: this.#id,
      createdBy: 'ann',
      updatedAt: link.updatedAt,
    };
  }

  #exists(id: unknown): boolean {
    return typeof id === 'string' ? this.apps.has(id) : id !== undefined;
  }

  #shortUrl({ code }: ModelLink): unknown {
    return typeof code === 'string' ? `${this.#shortBase}/${this.#id}/${code}` : expect.any(String);
  }

  #aliases(link: ModelLink) {
    const { link: url } = link.payload;
    return { shortLink: this.#shortUrl(link), originalUrl: url, previewLink: url };
  }
}

const place = ({ createdAt, code }: ModelLink) => `${createdAt}#${code}`;
const eachOwn = (value: (name: OwnFieldName) => unknown) =>
  Object.fromEntries(ownFieldNames.map((name) => [name, value(name)])) as OwnFields;
/** A value as it is stored: a time in UTC, tags in lower case and each once. */
const kept = (name: OwnFieldName, given: unknown): unknown => {
  const { kind } = ownFields[name];
  if (kind === 'time') return utc(given as string);
  if (kind === 'text') return given ?? undefined;
  const tags = ((given ?? []) as string[]).map((tag) => tag.toLowerCase());
  return tags.length > 0 ? [...new Set(tags)] : undefined;
};
const isPast = (time: unknown) => typeof time === 'string' && Date.parse(time) < Date.now();
const utc = (time: string | null | undefined) => (time ? new Date(time).toISOString() : undefined);

const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** The texts, or null instead of an empty object. */
const textsOf = (texts: Fields | null): Fields | null => {
  const given = withoutNulls(texts ?? {});
  return Object.keys(given).length > 0 ? given : null;
};

/** A payload after a patch: sections merge, and requests to save an app aren't stored. */
const mergedPayload = (stored: Fields, patch: Fields): Fields => {
  const sections = Object.entries<Fields>(patch).map(([name, value]) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [name, value];
    const { saveApp, appName, ...fields } = value;
    const merged = withoutNulls({ ...stored[name], ...fields });
    return [name, name === 'data' ? textsOf(merged) : merged];
  });
  return withoutNulls({ ...stored, ...Object.fromEntries(sections) });
};
