import type { Link } from '../../core/links/link.ts';
import { route } from '../../core/short-urls/routing.ts';
import { visitorOf } from '../../core/visits/visitor.ts';
import { userAgents } from '../base/user-agents.ts';
import type { ProjectApps } from './project-apps.ts';
import { type Device, devices } from './row.ts';

const agents: Readonly<Record<Device, string>> = {
  ...userAgents,
  // The user agent of apps and other browsers on it; Safari identifies as a Mac and counts as a desktop.
  ipad: userAgents.iphone.replace('(iPhone; CPU iPhone OS', '(iPad; CPU OS'),
};

/** Where a link leads visitors without the app while it is active. */
export const destinationsByDevice = (
  { payload }: Pick<Link, 'payload'>,
  apps: Pick<ProjectApps, 'find'>,
  now: Date,
): Record<Device, string> => {
  const saved = { ios: apps.find(payload.iosAppId), android: apps.find(payload.androidAppId) };
  const link = { status: 'ACTIVE' as const, payload };
  return Object.fromEntries(
    devices.map((device) => {
      // Appears only in Play's referrer, which isn't compared.
      const shortUrl = 'https://short.invalid/code';
      const arrival = { visitor: visitorOf(agents[device]), shortUrl, query: '', now };
      const found = route(link, saved, arrival);
      return [device, 'url' in found ? found.url : 'nowhere'];
    }),
  ) as Record<Device, string>;
};

/** The devices for which a rule may decide, by more than the device. */
export const ruledDevices = ({
  payload: { rules = [] },
}: Pick<Link, 'payload'>): Partial<Record<Device, string>> =>
  Object.fromEntries(
    devices
      .filter((device) => {
        const { platform } = visitorOf(agents[device]);
        return rules.some(({ platforms }) => platforms?.includes(platform) ?? true);
      })
      .map((device) => [device, 'where its rules say']),
  );

/** A device for which the destination differs from the source's. */
export interface DeviceDifference {
  readonly device: Device;
  readonly here: string;
  readonly there: string;
}

export const deviceDifferences = (
  here: Readonly<Record<Device, string>>,
  there: Readonly<Record<Device, string>>,
): DeviceDifference[] =>
  devices
    .filter((device) => bare(here[device]) !== bare(there[device]))
    .map((device) => ({ device, here: here[device], there: there[device] }));

/** An address without additions that don't change the page. */
const bare = (address: string): string => {
  const url = URL.parse(address);
  if (!url) return address;
  for (const name of [...url.searchParams.keys()]) {
    if (name === 'referrer' || name.startsWith('utm_')) url.searchParams.delete(name);
  }
  return url.href;
};
