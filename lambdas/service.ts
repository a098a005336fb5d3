import { limits } from '../core/limits.ts';
import { shortenMemory } from '../core/short-urls/memory-times.ts';
import { takedownMemory } from '../core/short-urls/takedowns.ts';
import { allowLocalhost } from '../core/short-urls/web-address.ts';
import { connect, tableAccess } from '../core/table/connection.ts';
import { forClients } from '../core/table/patience.ts';
import { openTable } from '../core/table/port.ts';
import type { Table } from '../core/table/table.ts';
import { logAs } from './log.ts';

/** What the Lambdas of endpoints work with. */
export interface Service {
  readonly openTable: (admitted?: Promise<unknown>) => Table;
  readonly takedowns: ReturnType<typeof takedownMemory>;
  readonly shortBase: string;
  readonly shortHosts: readonly string[];
  /** Configured per deployment; the default is the contract's. */
  readonly hourlyLimit: number;
}

/** Opens what an endpoint's Lambda works with, as its environment says. */
export const openService = (environment: NodeJS.ProcessEnv): Service => {
  const { TABLE_NAME = '', SHORT_BASE = '', SHORT_HOSTS = '', RATE_LIMIT_PER_HOUR } = environment;
  logAs(environment);
  // Only the local stack sets these two; no template has them.
  if (environment.LOCAL_DESTINATIONS === 'allowed') allowLocalhost();
  shortenMemory(environment.LOCAL_MEMORY_MS);
  const connection = connect(tableAccess(environment));
  const props = { name: TABLE_NAME, patience: forClients };
  return {
    openTable: (admitted) => openTable(connection, { ...props, admitted }),
    takedowns: takedownMemory(openTable(connection, props)),
    shortBase: SHORT_BASE,
    shortHosts: [URL.parse(SHORT_BASE)?.host ?? '', ...SHORT_HOSTS.split(',')].filter(Boolean),
    hourlyLimit: Number(RATE_LIMIT_PER_HOUR ?? limits.requestsPerHour),
  };
};
