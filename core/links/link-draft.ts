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
import { namedApps } from './link.ts';
import type { OwnChange, OwnFields } from './own-fields.ts';
import { addressesOf } from './payload.ts';
import type { LinkPayload } from './payload-fields.ts';

/*
 * A link on its way in has three types: what a request says (`SentLink`), what the link would be (`LinkDraft`), and what is
 * stored (`Link`). A creation says the whole draft; a change is merged into the stored link, which makes one.
 */

/** What asks for settings to be saved as an app. */
type Saving = { readonly saveApp?: boolean | undefined; readonly appName?: string | undefined };

export type PayloadDraft = Omit<LinkPayload, AppSectionName> & {
  [Name in AppSectionName]?: (NonNullable<LinkPayload[Name]> & Saving) | undefined;
};

/** Fields that are left out stay, and null clears a field or a section. */
export type SentPayload = Partial<Pick<PayloadDraft, 'link'>> & {
  [Name in Exclude<keyof PayloadDraft, 'link'>]?: PayloadDraft[Name] | null;
};

export interface LinkDraft extends OwnFields {
  /** One is generated if it is left out. */
  readonly code?: string | undefined;
  readonly payload: PayloadDraft;
}

export interface SentLink extends OwnChange {
  readonly payload?: SentPayload | undefined;
  /** These may be sent back as the link shows them. */
  readonly code?: unknown;
  readonly status?: unknown;
}

/** Turns settings with `saveApp` into apps that the payload references. */
export const settlePayload = <Draft extends SentPayload>(
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

/** Whether a request saves settings as an app. */
export const savesApps = ({ payload = {} }: SentLink): boolean =>
  appSections.some(({ name }) => payload[name]?.saveApp);

/** Payloads that both name an app and save one: the link could have only one of them. */
const doubleFaults = (draft: SentPayload): Fault[] =>
  appSections
    .filter(({ name, appId }) => draft[appId] && draft[name]?.saveApp)
    .map(({ name, appId }) => fault(`payload.${appId}`, 'savedAndNamed', { section: name }));

/** Named apps that aren't the project's, or are of the other platform. */
const appFaults = (draft: SentPayload, apps: Surroundings['apps']): Fault[] =>
  namedApps(draft)
    .filter(({ platform, id }) => apps.get(id) !== platform)
    .map(({ field, platform }) =>
      fault(`payload.${field}`, 'noSuchApp', { platform: platform === 'IOS' ? 'iOS' : 'Android' }),
    );

/** Rules that lead to more hosts than a link may have, the destination's apart. */
export const hostFaults = ({ rules, link }: Pick<SentPayload, 'rules' | 'link'>): Fault[] => {
  const { hosts: count } = limits.rules;
  return otherHosts(rules ?? [], link) > count ? [fault('payload.rules', 'tooManyHosts', { count })] : [];
};

/** Throws VALIDATION_ERROR with every fault that the request and the clock alone show. */
export const checkAlone = ({ payload = {}, expiresAt }: SentLink, now: Date): void => {
  const hasPassed = typeof expiresAt === 'string' && Date.parse(expiresAt) <= now.getTime();
  refuseFaults([
    ...doubleFaults(payload),
    ...(hasPassed ? [fault('expiresAt', 'past')] : []),
    // Without the destination, only what is stored tells which host is its own.
    ...(payload.link === undefined ? [] : hostFaults(payload)),
  ]);
};

/** Who makes a request and when, and the service's own hosts. */
export interface LinkCaller {
  readonly caller: { readonly project: string };
  readonly now: Date;
  readonly shortHosts: readonly string[];
}

/** Where what requests name is looked up. */
export interface Known {
  readonly apps: Pick<ReturnType<typeof appStore>, 'existing'>;
  readonly destinations: Pick<ReturnType<typeof destinationStore>, 'hosts'>;
}

/** What requests are checked against beyond themselves: hosts, and the platforms of a project's apps by their ids. */
export interface Surroundings {
  readonly hosts: KnownHosts;
  readonly apps: Pick<ReadonlyMap<string, AppPlatform>, 'get'>;
}

/** What all these requests name, looked up together: apps, and hosts of addresses. */
export const surroundingsOf = async (
  requests: readonly SentLink[],
  { caller, shortHosts }: LinkCaller,
  { apps, destinations }: Known,
): Promise<Surroundings> => {
  const ids = requests.flatMap(({ payload = {} }) => namedApps(payload).map(({ id }) => id));
  const addresses = requests.map(({ payload = {} }) => addressesOf(payload));
  const [hosts, existing] = await Promise.all([
    destinations.hosts(addresses, shortHosts),
    apps.existing(caller.project, ids),
  ]);
  return { hosts, apps: existing };
};

/** Throws VALIDATION_ERROR with every fault of what a request names. */
export const checkNamed = ({ payload = {} }: SentLink, { hosts, apps }: Surroundings): void =>
  refuseFaults([...appFaults(payload, apps), ...faultsAmong(addressesOf(payload), hosts)]);

/** Both checks of one request. Nothing is read for one that is refused anyway. */
export const check = async (request: SentLink, call: LinkCaller, known: Known): Promise<void> => {
  checkAlone(request, call.now);
  checkNamed(request, await surroundingsOf([request], call, known));
};
