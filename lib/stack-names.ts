import { Stack } from 'aws-cdk-lib';
import type { Config } from './config.ts';
import { edgeRegion } from './domains.ts';
import type { StageSettings } from './settings.ts';

/** The name of a stage's stack in this repository's app. */
export const stackNameOf = ({ stage = 'dev' }: Pick<StageSettings, 'stage'>): string =>
  `DynamicLinks-${stage}`;

/** The REST API's name. This repository's app keeps the one of earlier versions. */
export const apiNameOf = (stackName: string, { stage }: Config): string =>
  stackName === stackNameOf({ stage }) ? `dynamic-links-${stage}` : stackName;

/**
 * Ids and names of the stacks in other regions. Without `stackName`, those in `us-east-1` are told apart by
 * the service's region in their ids.
 */
export const namesBeside = (id: string, { region }: Config, stackName?: string) => {
  const [, start = id, rest = ''] = /^([^-]+)(-.*)?$/.exec(id) ?? [];
  const suffix = region === edgeRegion ? '' : `-${region}`;
  const named = (kind: string, end: string) => ({
    id: `${start}${kind}${rest}${suffix}`,
    props: { ...(stackName && { stackName: `${stackName}-${end}` }) },
  });
  return {
    edge: named('Edge', 'edge'),
    edgeAlarms: named('EdgeAlarms', 'edge-alarms'),
    standby: { id: `${id}-standby`, props: stackName ? { stackName: `${stackName}-standby` } : {} },
  };
};

/** Makes synthesis fail if another stack has the name, account and region of one of these: it would overwrite it. */
export const requireOwnNames = (stacks: readonly Stack[]): void => {
  for (const stack of stacks)
    stack.node.addValidation({
      validate: () => {
        const { stackName, environment, node } = stack;
        return node.root.node
          .findAll()
          .filter((one): one is Stack => Stack.isStack(one) && one !== stack)
          .filter((one) => one.stackName === stackName && one.environment === environment)
          .map((one) => `${one.node.path} has the same name (${stackName}), account and region: ${remedy}`);
      },
    });
};

const remedy = 'give one of them another stackName';
