import { shortenMemory } from '../core/base/memory-times.ts';
import { allowLocalhost } from '../core/destinations/web-address.ts';
import type { FunctionName, ReadsOf } from '../core/functions.ts';
import { type AllSettings, settingsIn } from '../core/settings.ts';
import { connect, tableAccess } from '../core/table/connection.ts';
import { forKnown, forVisitors, type Patience } from '../core/table/patience.ts';
import type { TableProps, Transport } from '../core/table/port.ts';
import type { Items } from '../core/table/table.ts';
import { type VisitorReads, visitorReads } from '../core/visits/visitor-reads.ts';
import { countMetric } from './log.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings that a function's row names. */
type SettingsOf<Name extends FunctionName | 'endpoint'> = Pick<AllSettings, ReadsOf<Name>>;

interface Opening<Name, Table> {
  /** Selects the settings that the function may read. */
  readonly name: Name;
  readonly environment: Environment;
  readonly port: (send: Transport, props: TableProps) => Table;
}

/** What every function starts with, as its environment says: its settings, and the table for those who wait for it. */
export const openFunction = <Name extends FunctionName | 'endpoint', Table>({
  environment,
  port,
}: Opening<Name, Table>) => {
  // Only the local stack sets these two; no template has them.
  if (environment.LOCAL_DESTINATIONS === 'allowed') allowLocalhost();
  shortenMemory(environment.LOCAL_MEMORY_MS);
  const connection = connect(tableAccess(environment));
  return {
    settings: settingsIn(environment) as SettingsOf<Name>,
    tableFor: (patience: Patience, props: Pick<TableProps, 'until'> = {}): Table =>
      port(connection, { name: environment.TABLE_NAME ?? '', patience, ...props }),
  };
};

/** The reads of a function whose response a visitor waits for. */
export const readsOf = (tableFor: (patience: Patience) => Items): VisitorReads =>
  visitorReads(tableFor(forVisitors), { hasty: tableFor(forKnown), count: countMetric });
