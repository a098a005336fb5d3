import type { Fault } from '../failure.ts';
import { fault } from '../messages.ts';
import { deniedKey, domainKey, type Key } from '../table/keys.ts';
import { removed, type Table } from '../table/table.ts';
import { domainsOf } from './takedowns.ts';
import { hostnameOf, parseHttpUrl } from './web-address.ts';

/** A host that no link may lead to, with its subdomains. */
export interface DeniedDestination {
  readonly host: string;
  /** ISO 8601, UTC. */
  readonly blockedAt: string;
}

/** Addresses by the paths of their fields, whether they are set or not. */
export type Addresses = Readonly<Record<string, string | null | undefined>>;

const hostsOf = (addresses: Addresses) =>
  Object.entries(addresses).flatMap(([field, address]) => {
    const url = address ? parseHttpUrl(address) : undefined;
    return url ? [{ field, host: hostnameOf(url) }] : [];
  });

/** What the table says about hosts and domains. */
interface KnownHosts {
  readonly isOwn: (host: string) => boolean;
  readonly isDenied: (domain: string) => boolean;
}

/** Why addresses can't be stored, for callers that know all hosts. */
export const faultsAmong = (addresses: Addresses, { isOwn, isDenied }: KnownHosts): Fault[] =>
  hostsOf(addresses).flatMap(({ field, host }) => {
    if (isOwn(host)) return [fault(field, 'ownHost')];
    return domainsOf(host).some(isDenied) ? [fault(field, 'deniedHost')] : [];
  });

/**
 * The hosts that links and apps may lead to: all except this service's own and those that operators block.
 */
export const destinationStore = (table: Table) => ({
  /**
   * Why addresses can't be stored, by the paths of their fields: they lead back to short URLs of any project,
   * or to a blocked host. `shortHosts` are the service's own.
   */
  async faults(addresses: Addresses, shortHosts: readonly string[]): Promise<Fault[]> {
    const own = new Set(shortHosts.map((host) => hostnameOf(new URL(`https://${host}`))));
    const distinct = [...new Set(hostsOf(addresses).map(({ host }) => host))];
    const keys = distinct.flatMap((host) => [domainKey(host), ...domainsOf(host).map(deniedKey)]);
    const unique = new Map(keys.map((key) => [`${key.PK} ${key.SK}`, key]));
    const items = unique.size > 0 ? await table.batchGet([...unique.values()], ['PK', 'SK']) : [];
    const found = new Set(items.map(({ PK, SK }) => `${PK} ${SK}`));
    const isFound = ({ PK, SK }: Key) => found.has(`${PK} ${SK}`);
    return faultsAmong(addresses, {
      isOwn: (host) => own.has(host) || isFound(domainKey(host)),
      isDenied: (domain) => isFound(deniedKey(domain)),
    });
  },

  /** Denies a host and its subdomains. Denying it again changes nothing. */
  async block(host: string, now: Date): Promise<DeniedDestination> {
    const { blockedAt } = await table.update({
      Key: deniedKey(host),
      UpdateExpression: 'SET #host = :host, blockedAt = if_not_exists(blockedAt, :now)',
      ExpressionAttributeNames: { '#host': 'host' },
      ExpressionAttributeValues: { ':host': host, ':now': now.toISOString() },
      ReturnValues: 'ALL_NEW',
    });
    return { host, blockedAt: String(blockedAt) };
  },

  async list(): Promise<DeniedDestination[]> {
    const items = await table.query({
      KeyConditionExpression: 'PK = :all',
      ExpressionAttributeValues: { ':all': deniedKey('').PK },
      ConsistentRead: true,
    });
    return items.map(({ host, blockedAt }) => ({ host: String(host), blockedAt: String(blockedAt) }));
  },

  /** False if the host was not denied. */
  unblock: (host: string): Promise<boolean> => removed(table, deniedKey(host)),
});
