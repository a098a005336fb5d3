import { randomUUID } from 'node:crypto';
import type { Fault } from '../base/failure.ts';
import { fault } from '../base/messages.ts';
import type { VisitorReads } from '../cached-reads/visitor-reads.ts';
import { blockedKey, blockedVersionKey, domainKey, partitions } from '../table/keys.ts';
import { itemsOf } from '../table/ranges.ts';
import { met, type Part, type Table } from '../table/table.ts';
import { updateOf } from '../table/update.ts';
import { domainsOf } from './takedowns.ts';
import { hostnameOf, parseHttpUrl } from './web-address.ts';

/** A host that no link may lead to, with its subdomains. */
export interface BlockedDestination {
  readonly host: string;
  /** ISO 8601, UTC. */
  readonly blockedAt: string;
}

/** Addresses by the paths of their fields, whether they are set or not. */
export type LinkAddresses = Readonly<Record<string, string | null | undefined>>;

const hostsOf = (addresses: LinkAddresses) =>
  Object.entries(addresses).flatMap(([field, address]) => {
    const url = address ? parseHttpUrl(address) : undefined;
    return url ? [{ field, host: hostnameOf(url) }] : [];
  });

/** What the table says about hosts and domains. */
export interface KnownHosts {
  readonly isOwn: (host: string) => boolean;
  readonly isBlocked: (domain: string) => boolean;
}

/** Why addresses can't be stored: they lead back to short URLs of any project, or to a blocked host. */
export const faultsAmong = (addresses: LinkAddresses, { isOwn, isBlocked }: KnownHosts): Fault[] =>
  hostsOf(addresses).flatMap(({ field, host }) => {
    if (isOwn(host)) return [fault(field, 'ownHost')];
    return domainsOf(host).some(isBlocked) ? [fault(field, 'blockedHost')] : [];
  });

/**
 * The hosts that links and apps may lead to: all except this service's own and those that operators block. These are
 * remembered: visits are checked as well, so nobody is sent to a host that is stored a moment after it was blocked.
 */
export const destinationStore = (table: Table, reads: Pick<VisitorReads, 'blocked'>) => {
  /** What is known of the hosts of all these addresses together. `shortHosts` are the service's own. */
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

    /** Why addresses can't be stored, by the paths of their fields. */
    faults: async (addresses: LinkAddresses, shortHosts: readonly string[]): Promise<Fault[]> =>
      faultsAmong(addresses, await hosts([addresses], shortHosts)),

    /** Blocks a host and its subdomains. Blocking it again changes nothing. */
    async block(host: string, now: Date): Promise<BlockedDestination> {
      const deny = updateOf(blockedKey(host), { set: { host }, first: { blockedAt: now.toISOString() } });
      await table.transact([{ Update: deny }, newVersion()]);
      const item = await table.get(blockedKey(host));
      return { host, blockedAt: String(item?.blockedAt ?? now.toISOString()) };
    },

    async list(): Promise<BlockedDestination[]> {
      const items = await table.query(allBlocked);
      return items.map(({ host, blockedAt }) => ({ host: String(host), blockedAt: String(blockedAt) }));
    },

    /** False if the host was not blocked. */
    unblock: (host: string): Promise<boolean> =>
      met(
        table.transact([
          { Delete: { Key: blockedKey(host), ConditionExpression: 'attribute_exists(PK)' } },
          newVersion(),
        ]),
      ),
  };
};

const allBlocked = itemsOf(partitions.blocked);

/** By this version 1.1.0 sees a change at once that it would otherwise see within 45 s. It goes with 1.3.0. */
const newVersion = (): Part => ({ Put: { Item: { ...blockedVersionKey, version: randomUUID() } } });
