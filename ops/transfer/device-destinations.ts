import type { Link } from '../../core/links/link.ts';
import { route } from '../../core/short-urls/routing.ts';
import { visitorOf } from '../../core/visits/visitor.ts';
import type { ProjectApps } from './project-apps.ts';
import { type Device, devices } from './row.ts';

const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5';
const userAgents: Readonly<Record<Device, string>> = {
  android:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Mobile Safari/537.36',
  iphone: `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${safari} Mobile/15E148 Safari/604.1`,
  // The user agent of apps and other browsers on it; Safari identifies as a Mac and counts as a desktop.
  ipad: `Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) ${safari} Mobile/15E148 Safari/604.1`,
  desktop:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36',
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
      const arrival = { visitor: visitorOf(userAgents[device]), shortUrl, query: '', now };
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
        const { platform } = visitorOf(userAgents[device]);
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
