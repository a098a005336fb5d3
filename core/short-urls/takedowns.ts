import { deniedKey, suspendedKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { memoryMs } from './memory-times.ts';

/** Whether operators block a host as a destination. */
export type Denies = (hostname: string) => boolean;

/**
 * Remembers what operators have taken down, but for single links, which say so themselves. Visits and API calls cost
 * no read of it: there is one query of each kind per `memoryMs`. What was known stays valid while the table can't be
 * read.
 */
export const takedownMemory = (table: Pick<Table, 'query'>) => {
  const suspended = remembered(() => sortKeysOf(table, suspendedKey('').PK), memoryMs.suspension);
  const denied = remembered(() => sortKeysOf(table, deniedKey('').PK), memoryMs.denial);
  return {
    isSuspended: async (project: string): Promise<boolean> => (await suspended()).has(project),
    denies: async (): Promise<Denies> => {
      const hosts = await denied();
      return (hostname) => hosts.size > 0 && domainsOf(hostname).some((domain) => hosts.has(domain));
    },
  };
};

const sortKeysOf = async (table: Pick<Table, 'query'>, PK: string): Promise<ReadonlySet<string>> => {
  const items = await table.query({
    KeyConditionExpression: 'PK = :all',
    ExpressionAttributeValues: { ':all': PK },
    ProjectionExpression: 'SK',
  });
  return new Set(items.map(({ SK }) => String(SK)));
};

const remembered = <Value>(read: () => Promise<Value>, forMs: number): (() => Promise<Value>) => {
  let known: { readonly value: Value; readonly until: number } | undefined;
  let reading: Promise<Value> | undefined;
  const renew = async (): Promise<Value> => {
    // From when it was asked on: what changes during the answer may not be in it.
    const until = Date.now() + forMs;
    try {
      known = { value: await read(), until };
      return known.value;
    } catch (error) {
      if (known) return known.value;
      throw error;
    } finally {
      reading = undefined;
    }
  };
  return async () => {
    if (known && Date.now() < known.until) return known.value;
    reading ??= renew();
    return reading;
  };
};

/** As many labels as an operator can deny; more would only make lookups long. */
export const deniedLabels = 8;

/** A host without the dot that may end it, and the domains that it is part of, but for top-level ones. */
export const domainsOf = (hostname: string): string[] => {
  const labels = hostname.replace(/\.+$/, '').split('.');
  return labels
    .map((_, i) => labels.slice(i))
    .filter(({ length }, i) => length <= deniedLabels && (length > 1 || i === 0))
    .map((domain) => domain.join('.'));
};
