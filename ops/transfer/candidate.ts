import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { readBody } from '../../core/api/request.ts';
import { mobileAppDraft } from '../../core/apps/mobile-app-schema.ts';
import { Failure, refuseFaults } from '../../core/base/failure.ts';
import type { KnownHosts } from '../../core/destinations/destination-store.ts';
import { nearMisses } from '../../core/fields/near-misses.ts';
import { alsoNamed } from '../../core/fields/other-names.ts';
import { namedApps, statusAt } from '../../core/links/link.ts';
import { checkReferences, checkRequest, extractSavedApps } from '../../core/links/link-draft.ts';
import type { ImportedLink } from '../../core/links/link-import.ts';
import { foreignLinkNames, linkDraft } from '../../core/links/link-schema.ts';
import { ownFieldNames, ownFields, ownFieldsOf } from '../../core/links/own-fields.ts';
import type { LinkPayload } from '../../core/links/payload-fields.ts';
import { operator } from '../links/links.ts';
import type { BroughtApp, ProjectApps } from './project-apps.ts';
import type { Lost, Source, SourceRow } from './row.ts';
import { createdAtOf, timeIn, timeOf } from './times.ts';
import { isNoTime } from './unset-cells.ts';

/** A row that can be imported if its code is free. */
export interface Candidate {
  readonly link: ImportedLink;
  readonly lost: readonly Lost[];
  readonly notes: readonly string[];
}

export interface Rules {
  readonly project: string;
  readonly hosts: KnownHosts;
  readonly apps: ProjectApps;
  readonly isLenient: Source['isLenient'];
}

/** Checks a row as the API checks the body of a creation. Throws Failure with the reason to refuse it. */
export const candidateOf = (row: SourceRow, rules: Rules, now: Date): Candidate => {
  refuseFaults(nearMisses(rowFields, row.link));
  const given = Object.fromEntries(
    ownFieldNames
      .filter((name) => row.link[name] != null)
      .map((name) => [name, row.link[name], ownFields[name].kind === 'time'] as const)
      .filter(([, value, isTime]) => !isTime || typeof value === 'object' || !isNoTime(String(value)))
      .map(([name, value, isTime]) => [name, isTime ? timeIn(value) : value]),
  );
  const body = { ...given, code: row.code, payload: row.link.payload };
  const { body: read, lost } = rules.isLenient
    ? readLeniently(body)
    : { body: readBody(linkDraft, body), lost: [] };
  checkRequest({ payload: read.payload }, now);
  const extracted = extractSavedApps(read.payload, now);
  const brought = [...extracted.apps, ...appsOf(row)];
  const payload = withApps(extracted.payload, brought, rules.apps, now);
  const apps = { get: (id: string) => rules.apps.find(id)?.platform };
  checkReferences({ payload }, { hosts: rules.hosts, apps });
  const { time: createdAt, lost: lostTime } = createdAtOf(timeIn(row.link.createdAt), now, rules.isLenient);
  const link = {
    id: randomUUID(),
    project: rules.project,
    code: row.code,
    payload,
    ...ownFieldsOf(read),
    createdAt: createdAt ?? now.toISOString(),
    updatedAt: createdAt ?? now.toISOString(),
    createdBy: operator,
    ...(isBlocked(row) && { blockedAt: now.toISOString() }),
  };
  return {
    link: {
      ...link,
      status: statusOf(row, { expiresAt: link.expiresAt, now, isLenient: rules.isLenient }),
      isNew: createdAt === undefined,
    },
    lost: [...lost, ...lostTime, ...(row.lost ?? [])],
    notes: row.notes ?? [],
  };
};

/** Fields of a row by name; their values are validated when read. */
const rowFields = alsoNamed(
  z.object(
    Object.fromEntries(
      [...Object.keys(linkDraft.shape), 'apps', 'status', 'createdAt', 'blocked'].map((name) => [
        name,
        z.unknown(),
      ]),
    ),
  ),
  // Other services describe their links.
  foreignLinkNames.filter(([name]) => name !== 'description'),
);

const refusal = (reason: string) => new Failure('VALIDATION_ERROR', reason);

/** Drops fields that can't be stored if the rest is valid, as the source service did. */
const readLeniently = (body: { readonly payload?: unknown }) => {
  const faults = linkDraft.safeParse(body).error?.issues ?? [];
  const paths = faults.map(({ path }) => path.map(String)).filter((path) => !isVital(path));
  const copy = structuredClone(body);
  // From the end of a list, because cutting moves later values.
  const lost = paths
    .toReversed()
    .map((path) => ({ field: path.join('.'), value: String(cut(copy, path)) }))
    .toReversed();
  return { body: readBody(linkDraft, copy), lost };
};

/** Whether a link needs the field: without it, it would be invalid or have ended. */
const isVital = (path: readonly string[]): boolean =>
  ['', 'code', 'payload', 'payload.link', 'expiresAt'].includes(path.join('.'));

/** Removes a value and returns it. */
const cut = (body: object, path: readonly string[]): unknown => {
  let at = body as Record<string, unknown>;
  for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
  const last = path.at(-1) ?? '';
  const value = at[last];
  if (Array.isArray(at)) at.splice(Number(last), 1);
  else delete at[last];
  return value;
};

const appsOf = ({ link: { apps } }: SourceRow): BroughtApp[] => {
  if (apps == null) return [];
  if (!Array.isArray(apps)) throw refusal('apps: must be a list');
  return apps.map((app: Partial<BroughtApp> | null) => {
    if (typeof app?.id !== 'string') throw refusal('apps: each must have its id');
    const fields = Object.entries(app).filter(([name]) => !['id', 'createdAt', 'updatedAt'].includes(name));
    const draft = readBody(mobileAppDraft, Object.fromEntries(fields));
    return { ...draft, id: app.id, createdAt: timeOf(app.createdAt), updatedAt: timeOf(app.updatedAt) };
  });
};

/** A payload with the project's apps instead of the row's. */
const withApps = (
  payload: LinkPayload,
  brought: readonly BroughtApp[],
  apps: ProjectApps,
  now: Date,
): LinkPayload => {
  const ids = namedApps(payload).flatMap(({ field, id }): [string, string][] => {
    const app = brought.find((one) => one.id === id);
    return app ? [[field, apps.plan(app, now).id]] : [];
  });
  return { ...payload, ...Object.fromEntries(ids) };
};

/** Whether a row is blocked, in JSON's form or that of spreadsheets and scripts. */
const isBlocked = ({ link: { blocked } }: SourceRow): boolean => {
  if (blocked == null) return false;
  const text = String(blocked).toLowerCase();
  if (typeof blocked === 'object' || !['true', 'false'].includes(text))
    throw refusal('blocked: must be true or false');
  return text === 'true';
};

const statuses = ['ACTIVE', 'PAUSED', 'EXPIRED'] as const;

interface StatusRules {
  readonly expiresAt: string | undefined;
  readonly now: Date;
  /** Whether `active` is ACTIVE: other services write it in any case. */
  readonly isLenient: boolean;
}

const statusOf = ({ link }: SourceRow, { expiresAt, now, isLenient }: StatusRules) => {
  const given = isLenient && typeof link.status === 'string' ? link.status.toUpperCase() : link.status;
  const status = statuses.find((one) => one === (given ?? 'ACTIVE'));
  if (!status) throw refusal(`status: must be one of ${statuses.join(', ')}`);
  if (status !== 'EXPIRED') return statusAt({ status, expiresAt }, now);
  if (statusAt({ status: 'ACTIVE', expiresAt }, now) === 'EXPIRED') return status;
  throw refusal('status: EXPIRED needs an expiresAt that has passed');
};
