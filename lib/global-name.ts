import { createHash } from 'node:crypto';
import { Aws, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Config } from './config.ts';

/** Longest names in CloudFront, in characters. AWS documents none for connection groups; access controls' is used. */
export const longestName = { accessControl: 64, connectionGroup: 64, policy: 128 } as const;

const anyRegion = 'ap-northeast-1';
const hashLength = 8;

/**
 * A name in CloudFront, unique in the account, because two regions may have a stack of the same name. A long stack name
 * is cut and ends in a hash.
 */
export const globalName = (
  scope: Construct,
  { expectedRegion = anyRegion }: Pick<Config, 'expectedRegion'>,
  kind: keyof typeof longestName,
  name?: string,
): string => {
  const { stackName } = Stack.of(scope);
  const end = name === undefined ? '' : `-${name}`;
  const room = longestName[kind] - `-${expectedRegion}${end}`.length;
  const hash = createHash('sha256').update(stackName).digest('hex').slice(0, hashLength);
  const start = stackName.length <= room ? stackName : `${stackName.slice(0, room - hashLength)}${hash}`;
  return `${start}-${Aws.REGION}${end}`;
};
