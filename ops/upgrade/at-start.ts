// Until 1.3.0: part of the upgrade from 1.0.0.
import { projectStore } from '../../core/projects/project-store.ts';
import { figuresKey } from '../../core/table/figure-keys.ts';
import { forOperators } from '../../core/table/patience.ts';
import type { Table } from '../../core/table/table.ts';
import { openTable } from '../../core/table/whole-table.ts';
import { sdkTransport } from '../target/sdk-client.ts';
import type { Deployment } from '../target/target.ts';
import { isUnsettled } from './settled-owner.ts';

/** Whether figures of 1.0.0 are left. One read for each project. */
export const hasUnsettled = async (table: Table): Promise<boolean> => {
  const projects = await projectStore(table).list();
  const figures = await table.batchGet(projects.map(({ id: project }) => figuresKey({ project })));
  return figures.some(isUnsettled);
};

/** Settles what 1.0.0 left in the table of a stack that starts, before anybody counts. */
export const settleAtStart = async (
  stack: Pick<Deployment, 'access' | 'tableName' | 'figuresRetentionDays'>,
  print: (text: string) => void,
): Promise<void> => {
  const table = openTable(sdkTransport(stack.access), { name: stack.tableName, patience: forOperators });
  if (!(await hasUnsettled(table))) return;
  print('Settling the figures of 1.0.0 …');
  const { settleFigures } = await import('./settle.ts');
  await settleFigures(stack, () => undefined, { watch: 0 });
};
