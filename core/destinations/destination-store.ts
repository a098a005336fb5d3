import type { Fault } from '../base/failure.ts';
import { fault } from '../base/messages.ts';
import type { VisitorReads } from '../cached-reads/visitor-reads.ts';
import { updated } from '../table/content.ts';
import { blockedKey, domainKey, partitions } from '../table/keys.ts';
import { itemsOf } from '../table/ranges.ts';
import { removed, type Table } from '../table/table.ts';
import { domainsOf } from './takedowns.ts';
import { hostnameOf, parseHttpUrl } from './web-address.ts';

/** A host to which no link may lead, with its subdomains. */
export interface BlockedDestination {
  readonly host: string;
  /** ISO 8601, UTC. */
  readonly blockedAt: string;
}

/** Addresses by the paths of their fields, including unset ones. */
export type LinkAddresses = Readonly<Record<string, string | null | undefined>>;

const hostsOf = (addresses: LinkAddresses) =>
  Object.entries(addresses).flatMap(([field, address]) => {
    const url = address ? parseHttpUrl(address) : undefined;
    return url ? [{ field, host: hostnameOf(url) }] : [];
  });

/** Tests for the service's own hosts and for blocked domains. */
export interface KnownHosts {
  readonly isOwn: (host: string) => boolean;
  readonly isBlocked: (domain: string) => boolean;
}

/** Faults of addresses that lead back to short URLs of any project, or to a blocked host. */
export const faultsAmong = (addresses: LinkAddresses, { isOwn, isBlocked }: KnownHosts): Fault[] =>
  hostsOf(addresses).flatMap(({ field, host }) => {
    if (isOwn(host)) return [fault(field, 'ownHost')];
    return domainsOf(host).some(isBlocked) ? [fault(field, 'blockedHost')] : [];
  });

/**
 * Checks the hosts to which links and apps lead: all are allowed except the service's own and blocked ones. Blocked
 * hosts are cached; an address that slips through is caught by the same check at each visit.
 */
export const destinationStore = (table: Table, reads: Pick<VisitorReads, 'blocked'>) => {
  /** Tests for the hosts of these addresses. `shortHosts` are the service's own. */
  const hosts = async (
    addresses: readonly LinkAddresses[],
    shortHosts: readonly string[],
  ): Promise<KnownHosts> => {
    const own = new Set(shortHosts.map((host) => hostnameOf(new URL(`https://${host}`))));
    const named = [...new Set(addresses.flatMap((one) => hostsOf(one).map(({ host }) => host)))];
    if (named.length === 0) return { isOwn: () => false, isBlocked: () => false };
    const [blocked, owned] = await Promise.all([
      reads.blocked(),
      table.batchGet(named.map(domainKey), ['PK']),
    ]);
    const assigned = new Set(owned.map(({ PK }) => PK));
    return {
      isOwn: (host) => own.has(host) || assigned.has(domainKey(host).PK),
      isBlocked: (domain) => blocked.has(domain),
    };
  };

  return {
    hosts,

    /** Faults of addresses, by the paths of their fields. */
    faults: async (addresses: LinkAddresses, shortHosts: readonly string[]): Promise<Fault[]> =>
      faultsAmong(addresses, await hosts([addresses], shortHosts)),

    /** Blocks a host and its subdomains. A repeated call changes nothing. */
    async block(host: string, now: Date): Promise<BlockedDestination> {
      const change = { set: { host }, first: { blockedAt: now.toISOString() } };
      const item = await updated(table, blockedKey(host), change);
      return { host, blockedAt: String(item?.blockedAt) };
    },

    /** Blocked hosts, and ids of publishable keys whose links lead nowhere. */
    async list(): Promise<BlockedDestination[]> {
      const items = await table.query(allBlocked);
      return items.map(({ host, blockedAt }) => ({ host: String(host), blockedAt: String(blockedAt) }));
    },

    /** False if the host wasn't blocked. */
    unblock: (host: string): Promise<boolean> => removed(table, blockedKey(host)),
  };
};

const allBlocked = itemsOf(partitions.blocked);
