import { type MobileApp, newMobileApp } from '../apps/mobile-app.ts';
import { type Fault, refuseFaults } from '../failure.ts';
import { fault } from '../messages.ts';
import type { Addresses } from '../short-urls/destination-store.ts';
import { addressesOf, toSavedSettings } from './payload.ts';
import { type AppSectionName, appSections, type LinkPayload } from './payload-fields.ts';

/** What asks for settings to be saved as an app. */
interface Saving {
  readonly saveApp?: boolean | undefined;
  readonly appName?: string | undefined;
}

/** The payload of a request to create a link. */
export type PayloadDraft = Omit<LinkPayload, AppSectionName> & {
  [Name in AppSectionName]?: (NonNullable<LinkPayload[Name]> & Saving) | undefined;
};

/** The payload of a request to change a link: null clears a field or a section. */
export type PayloadChange = Pick<PayloadDraft, 'link'> & {
  [Name in Exclude<keyof PayloadDraft, 'link'>]?: PayloadDraft[Name] | null;
};

/** The same of an operator, who may leave out the destination, too: it stays then. */
export type PayloadEdit = Partial<PayloadChange>;

/** A payload as it was requested. */
export type RequestedPayload = PayloadDraft | PayloadEdit;

/** A payload without its `saveApp` instructions, and the apps that they make. */
export interface SettledPayload<Draft> {
  readonly payload: Draft;
  readonly apps: readonly MobileApp[];
}

/** Turns settings with `saveApp` into apps that the payload references. */
export const settlePayload = <Draft extends RequestedPayload>(
  draft: Draft,
  newId: () => string,
  now: Date,
): SettledPayload<Draft> => {
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

/** The saved apps that a payload names. */
export const namedApps = (payload: Pick<RequestedPayload, 'iosAppId' | 'androidAppId'>) =>
  appSections.flatMap(({ platform, appId }) => {
    const id = payload[appId];
    return typeof id === 'string' ? [{ field: appId, platform, id }] : [];
  });

/** Payloads that both name an app and save one: the link could have only one of them. */
const doubleFaults = (draft: RequestedPayload): Fault[] =>
  appSections
    .filter(({ name, appId }) => draft[appId] && draft[name]?.saveApp)
    .map(({ name, appId }) => fault(`payload.${appId}`, 'savedAndNamed', { section: name }));

/** Named apps that aren't the project's, or are of the other platform. */
const appFaults = async (
  draft: RequestedPayload,
  find: (id: string) => Promise<MobileApp | undefined>,
): Promise<Fault[]> => {
  const faults = await Promise.all(
    namedApps(draft).map(async ({ field, platform, id }) => {
      const app = await find(id);
      if (app?.platform === platform) return [];
      return [fault(`payload.${field}`, 'noSuchApp', { platform: platform === 'IOS' ? 'iOS' : 'Android' })];
    }),
  );
  return faults.flat();
};

export interface DraftChecks {
  readonly now: Date;
  /** Why addresses can't be stored, apart from where they lead. */
  readonly addressFaults: (addresses: Addresses) => Promise<readonly Fault[]>;
  readonly findApp: (id: string) => Promise<MobileApp | undefined>;
}

/**
 * Checks that need more than the request: the clock, the project's apps, the destinations' hosts. Throws
 * VALIDATION_ERROR with every fault.
 */
export const checkDraft = async (
  {
    payload,
    expiresAt,
  }: { readonly payload: RequestedPayload; readonly expiresAt?: string | null | undefined },
  { now, addressFaults, findApp }: DraftChecks,
): Promise<void> => {
  const [addresses, apps] = await Promise.all([
    addressFaults(addressesOf(payload)),
    appFaults(payload, findApp),
  ]);
  const hasPassed = typeof expiresAt === 'string' && Date.parse(expiresAt) <= now.getTime();
  refuseFaults([
    ...doubleFaults(payload),
    ...apps,
    ...addresses,
    ...(hasPassed ? [fault('expiresAt', 'past')] : []),
  ]);
};

/** A stored payload after a change: omitted fields stay, null clears, a given section replaces its own. */
export const mergePayload = (stored: LinkPayload, change: RequestedPayload): LinkPayload => {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const merged = Object.entries({ ...stored, ...Object.fromEntries(given) });
  return Object.fromEntries(merged.filter(([, value]) => value !== null)) as LinkPayload;
};
