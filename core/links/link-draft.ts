import { randomUUID } from 'node:crypto';
import { type AppPlatform, type AppSectionName, appSections } from '../apps/app-fields.ts';
import type { appStore } from '../apps/app-store.ts';
import { type MobileApp, newMobileApp } from '../apps/mobile-app.ts';
import { toSavedSettings } from '../apps/saved-settings.ts';
import { type Fault, refuseFaults } from '../base/failure.ts';
import { limits } from '../base/limits.ts';
import { fault } from '../base/messages.ts';
import { type destinationStore, faultsAmong, type KnownHosts } from '../destinations/destination-store.ts';
import { otherHosts } from '../rules/rule.ts';
import { namedApps, type SettableStatus } from './link.ts';
import type { OwnChange, OwnFields } from './own-fields.ts';
import { addressesOf } from './payload.ts';
import type { LinkPayload } from './payload-fields.ts';

/*
 * A link passes through three types: a request (`SentLink`), a complete draft (`LinkDraft`) and the stored link
 * (`Link`). A creation sends the whole draft; a change is merged into the stored link.
 */

/** A request to save a section's settings as an app. */
type Saving = { readonly saveApp?: boolean | undefined; readonly appName?: string | undefined };

export type PayloadDraft = Omit<LinkPayload, AppSectionName> & {
  [Name in AppSectionName]?: (NonNullable<LinkPayload[Name]> & Saving) | undefined;
};

/** A payload in a change. Omitted fields stay; null clears a field or a section. */
export type SentPayload = Partial<Pick<PayloadDraft, 'link'>> & {
  [Name in Exclude<keyof PayloadDraft, 'link'>]?: PayloadDraft[Name] | null;
};

export interface LinkDraft extends OwnFields {
  /** The code, generated if omitted. */
  readonly code?: string | undefined;
  /** @default ACTIVE */
  readonly status?: SettableStatus | undefined;
  readonly payload: PayloadDraft;
}

export interface SentLink extends OwnChange {
  readonly payload?: SentPayload | undefined;
  /** Tags to add to those stored, and to remove from them. */
  readonly addTags?: readonly string[] | null | undefined;
  readonly removeTags?: readonly string[] | null | undefined;
  /** Fields that may be sent back unchanged. */
  readonly code?: unknown;
  readonly status?: unknown;
}

/** Replaces settings with `saveApp` by references to new apps. */
export const extractSavedApps = <Draft extends SentPayload>(
  draft: Draft,
  now: Date,
  newId: () => string = randomUUID,
): { readonly payload: Draft; readonly apps: readonly MobileApp[] } => {
  const payload = { ...draft };
  const apps: MobileApp[] = [];
  for (const { name: section, platform, appId } of appSections) {
    const given = draft[section];
    if (!given) continue;
    const { saveApp, appName = '', ...settings } = given;
    Object.assign(payload, { [section]: settings });
    if (!saveApp) continue;
    const app = newMobileApp(
      newId(),
      { platform, name: appName, ...toSavedSettings(section, settings) },
      now,
    );
    Object.assign(payload, { [appId]: app.id });
    apps.push(app);
  }
  return { payload, apps };
};

/** Whether a request saves any settings as an app. */
export const savesApps = ({ payload = {} }: SentLink): boolean =>
  appSections.some(({ name }) => payload[name]?.saveApp);

/** Faults of sections that both name an app and save one: a link can have only one. */
const doubleFaults = (draft: SentPayload): Fault[] =>
  appSections
    .filter(({ name, appId }) => draft[appId] && draft[name]?.saveApp)
    .map(({ name, appId }) => fault(`payload.${appId}`, 'savedAndNamed', { section: name }));

/** Faults of named apps that don't exist in the project, or are for the other platform. */
const appFaults = (draft: SentPayload, apps: KnownReferences['apps']): Fault[] =>
  namedApps(draft)
    .filter(({ platform, id }) => apps.get(id) !== platform)
    .map(({ field, platform }) =>
      fault(`payload.${field}`, 'noSuchApp', { platform: platform === 'IOS' ? 'iOS' : 'Android' }),
    );

/** Faults of rules with more hosts than allowed, not counting the destination's. */
export const hostFaults = ({ rules, link }: Pick<SentPayload, 'rules' | 'link'>): Fault[] => {
  const { hosts: count } = limits.rules;
  return otherHosts(rules ?? [], link) > count ? [fault('payload.rules', 'tooManyHosts', { count })] : [];
};

/** Throws VALIDATION_ERROR with every fault that needs only the request and the clock. */
export const checkRequest = ({ payload = {}, expiresAt }: SentLink, now: Date): void => {
  const hasPassed = typeof expiresAt === 'string' && Date.parse(expiresAt) <= now.getTime();
  refuseFaults([
    ...doubleFaults(payload),
    ...(hasPassed ? [fault('expiresAt', 'past')] : []),
    // Without a destination, its host is known only from the stored link.
    ...(payload.link === undefined ? [] : hostFaults(payload)),
  ]);
};

/** The caller and time of a request, and the service's own hosts. */
export interface LinkCaller {
  readonly caller: { readonly project: string };
  readonly now: Date;
  readonly shortHosts: readonly string[];
}

/** The stores in which requests' apps and hosts are looked up. */
export interface LookupStores {
  readonly apps: Pick<ReturnType<typeof appStore>, 'existing'>;
  readonly destinations: Pick<ReturnType<typeof destinationStore>, 'hosts'>;
}

/** Stored data that requests are checked against: hosts, and platforms of the project's apps by id. */
export interface KnownReferences {
  readonly hosts: KnownHosts;
  readonly apps: Pick<ReadonlyMap<string, AppPlatform>, 'get'>;
}

/** Looks up the apps and hosts of all requests together. */
export const lookUpReferences = async (
  requests: readonly SentLink[],
  { caller, shortHosts }: LinkCaller,
  { apps, destinations }: LookupStores,
): Promise<KnownReferences> => {
  const ids = requests.flatMap(({ payload = {} }) => namedApps(payload).map(({ id }) => id));
  const addresses = requests.map(({ payload = {} }) => addressesOf(payload));
  const [hosts, existing] = await Promise.all([
    destinations.hosts(addresses, shortHosts),
    apps.existing(caller.project, ids),
  ]);
  return { hosts, apps: existing };
};

/** Throws VALIDATION_ERROR with every fault of a request's apps and hosts. */
export const checkReferences = ({ payload = {} }: SentLink, { hosts, apps }: KnownReferences): void =>
  refuseFaults([...appFaults(payload, apps), ...faultsAmong(addressesOf(payload), hosts)]);

/** Makes both checks of a request. Nothing is read if the first one fails. */
export const checkLink = async (request: SentLink, call: LinkCaller, known: LookupStores): Promise<void> => {
  checkRequest(request, call.now);
  checkReferences(request, await lookUpReferences([request], call, known));
};
