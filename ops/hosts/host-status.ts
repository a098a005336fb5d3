import { resolve4, resolve6, resolveCname } from 'node:dns/promises';
import type { DeployedHosts } from '../deployment/deployment.ts';

export interface Lookup {
  readonly names: (host: string) => Promise<readonly string[]>;
  readonly addresses: (host: string) => Promise<readonly string[]>;
}

const none = (): string[] => [];

const dns: Lookup = {
  names: (host) => resolveCname(host).catch(none),
  addresses: async (host) =>
    (await Promise.all([resolve4(host).catch(none), resolve6(host).catch(none)])).flat(),
};

/** Reasons why a host's visitors don't reach the service yet, with remedies; empty if they do. */
export const hostWarnings = async (
  host: string,
  { aliases, target }: DeployedHosts,
  { names, addresses }: Lookup = dns,
): Promise<string[]> => {
  if (!aliases.includes(host)) {
    return [
      `${host} is not an alias of the distribution, so CloudFront refuses its visitors: add it to shortAliases and deploy, or deploy with ownHosts=tenants`,
    ];
  }
  if (target === undefined) return [];
  const led = (await names(host)).some((name) => name.replace(/\.$/, '') === target);
  if (led) return [];
  // A DNS alias record shows only addresses.
  const [own, ours] = await Promise.all([addresses(host), addresses(target)]);
  if (own.some((address) => ours.includes(address))) return [];
  return [`${host} does not lead here: make the DNS record ${host} CNAME ${target}`];
};
