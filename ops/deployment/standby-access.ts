import type { Table } from '../../core/table/table.ts';
import { readStageFile, stageFilesFolder } from '../../lib/stage-file.ts';
import { awsRegion, stageOf } from '../aws/aws-region.ts';
import { describeStack, outputsOf } from '../aws/described-stack.ts';
import { reasonOf } from '../aws/identity.ts';
import { OperatorError } from '../base/operator-error.ts';
import { within } from '../base/within.ts';
import { runningStack } from './running-stack.ts';
import { operatorTable } from './sdk-client.ts';
import { localServices, type Outputs, type ServiceAccess } from './service-access.ts';

/** The second region of a deployment. Opening it needs nothing of the first one. */
export interface Standby {
  readonly region: string;
  readonly tableName: string;
  readonly copy: Table;
  /** The queue of clicks that wait for the first region. */
  readonly clicksQueueUrl: string;
  readonly services: ServiceAccess;
}

export interface StandbyPlace {
  readonly data: string;
  readonly stack?: string | undefined;
  readonly region?: string | undefined;
}

/** Opens the second region of a local or deployed stack. Throws OperatorError if there is none. */
export const findStandby = ({ data, stack, region }: StandbyPlace, stageFiles = stageFilesFolder) =>
  stack === undefined ? localStandby(data) : deployedStandby(stack, region, stageFiles);

const localStandby = async (data: string) => {
  const { outputs, services } = await runningStack(data);
  if (!outputs.StandbyRegion)
    throw new OperatorError(
      `The local stack in ${data} has no second region: start it with 'npm start -- --standby'`,
    );
  return openStandby(outputs.StandbyRegion, outputs, localServices(services, data));
};

const deployedStandby = async (stack: string, given: string | undefined, stageFiles: string) => {
  const stage = stageOf(stack);
  const asked = describeStack(stack, { region: awsRegion({ given, stage, stageFiles }) });
  // While the first region is away, it may not even refuse a connection.
  const home = await within(10, asked).catch((error) => reasonOf(error));
  const isRead = typeof home === 'object';
  if (isRead && !home.outputs.StandbyRegion)
    throw new OperatorError(
      `The stack ${stack} has no second region: docs/standby.md describes how to add one`,
    );
  const regions = isRead
    ? [home.outputs.StandbyRegion]
    : [stage && readStageFile(stage, stageFiles).standby, given];
  for (const region of regions) {
    const outputs = region && (await outputsOf(`${stack}-standby`, { region }));
    if (outputs) return openStandby(region, outputs, { client: { region } });
  }
  throw new OperatorError(
    isRead
      ? `The stack ${stack}-standby can't be read in ${home.outputs.StandbyRegion}`
      : `Neither ${stack} (${home}) nor ${stack}-standby can be read: while the first region is away, name the second by --region`,
  );
};

/** Opens a second region by its stack's outputs, without any call. */
export const openStandby = (region: string, outputs: Outputs, services: ServiceAccess): Standby => {
  const { CopyTableName: tableName = '', ClicksQueueUrl: clicksQueueUrl = '' } = outputs;
  const copy = operatorTable(services.client, tableName);
  return { region, tableName, copy, clicksQueueUrl, services };
};
