import type { FunctionName, ReadsOf } from '../../core/functions.ts';
import { type AllSettings, settingsIn } from '../../core/settings.ts';
import { connect, type ServiceName, serviceAccess } from '../../core/table/connection.ts';
import type { Transport } from '../../core/table/items.ts';
import type { RetryPolicy, TableProps } from '../../core/table/retry-policy.ts';

/** Lambda's environment. Only this file and the log read it. */
export const environment: Readonly<Record<string, string | undefined>> = process.env;

/** A function's settings, and the table with a retry policy. */
export const openFunction = <const Name extends FunctionName | 'endpoint', Table>(
  // Selects the settings that the function may read.
  _name: Name,
  open: (send: Transport, props: TableProps) => Table,
) => {
  const connection = connectTo('dynamodb');
  return {
    settings: settingsIn(environment) as Pick<AllSettings, ReadsOf<Name>>,
    tableFor: (policy: RetryPolicy, props: Pick<TableProps, 'until'> = {}): Table =>
      open(connection, { name: environment.TABLE_NAME ?? '', policy, ...props }),
  };
};

/** A connection to an AWS service, also in another region. */
export const connectTo = (service: ServiceName, region?: string) =>
  connect(serviceAccess(environment, service, region));
