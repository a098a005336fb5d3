// Until 1.3.0: part of the upgrade from 1.0.0.
import { forOperators } from '../../core/table/patience.ts';
import { openTable } from '../../core/table/whole-table.ts';
import { sdkTransport } from '../target/sdk-client.ts';
import type { Deployment } from '../target/target.ts';
import { hasUnsettled } from './at-start.ts';

/** What to do before a stack goes to this version, in one line; undefined if nothing is. */
export const settlingStep = async (
  { access, tableName: name }: Pick<Deployment, 'access' | 'tableName'>,
  stack: string,
): Promise<string | undefined> =>
  (await hasUnsettled(openTable(sdkTransport(access), { name, patience: forOperators })))
    ? 'The table has figures of 1.0.0, which show too few clicks after the deployment. Settle them before, while nothing is counted: ' +
      `'npx dls figures settle --stack ${stack}' (docs/operate.md, 'From 1.0.0')`
    : undefined;
