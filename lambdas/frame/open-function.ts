import type { FunctionName, ReadsOf } from '../../core/functions.ts';
import { type AllSettings, settingsIn } from '../../core/settings.ts';
import { connect, type ServiceName, serviceAccess } from '../../core/table/connection.ts';
import type { Patience, TableProps } from '../../core/table/patience.ts';
import type { Transport } from '../../core/table/port.ts';

/** What Lambda states. No other file of the service reads it, but for the log. */
export const environment: Readonly<Record<string, string | undefined>> = process.env;

/** What every function starts with: the settings that its row names, and the table for those who wait for it. */
export const openFunction = <const Name extends FunctionName | 'endpoint', Table>(
  // Selects the settings that the function may read.
  _name: Name,
  port: (send: Transport, props: TableProps) => Table,
) => {
  const connection = connectTo('dynamodb');
  return {
    settings: settingsIn(environment) as Pick<AllSettings, ReadsOf<Name>>,
    tableFor: (patience: Patience, props: Pick<TableProps, 'until'> = {}): Table =>
      port(connection, { name: environment.TABLE_NAME ?? '', patience, ...props }),
  };
};

/** The way to a service of AWS. */
export const connectTo = (service: ServiceName) => connect(serviceAccess(environment, service));
