import type { FunctionName, ReadsOf } from '../core/functions.ts';
import { type AllSettings, settingsIn } from '../core/settings.ts';
import { connect, tableAccess } from '../core/table/connection.ts';
import type { Patience } from '../core/table/patience.ts';
import type { TableProps, Transport } from '../core/table/port.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

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
  const connection = connect(tableAccess(environment));
  return {
    settings: settingsIn(environment) as SettingsOf<Name>,
    tableFor: (patience: Patience, props: Pick<TableProps, 'until'> = {}): Table =>
      port(connection, { name: environment.TABLE_NAME ?? '', patience, ...props }),
  };
};
