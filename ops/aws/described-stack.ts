import { errorText } from '../base/error-text.ts';
import { type AwsAccess, clientConfig } from './aws-access.ts';

/** A deployed stack's status and outputs. Throws the SDK's error, also if there is no such stack. */
export const describeStack = async (stackName: string, access: AwsAccess) => {
  // Loaded only here: it takes longer than a whole command on a local stack.
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const client = new CloudFormationClient(clientConfig(access));
  const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
  const { StackStatus: status = '', Outputs = [] } = Stacks?.[0] ?? {};
  const outputs = Object.fromEntries(
    Outputs.map(({ OutputKey, OutputValue }) => [OutputKey ?? '', OutputValue ?? '']),
  );
  return { status, outputs };
};

/** A stack's outputs; undefined if there is no such stack, or if it can't be read. */
export const outputsOf = (stackName: string, access: AwsAccess) =>
  describeStack(stackName, access).then(
    ({ outputs }) => outputs,
    () => undefined,
  );

interface DeployedTemplate {
  readonly Resources: Readonly<Record<string, { readonly Properties?: Readonly<Record<string, unknown>> }>>;
}

/** The template of a deployed stack of the CDK; undefined if there is no such stack. Throws the SDK's error otherwise. */
export const deployedTemplate = async (
  stackName: string,
  access: AwsAccess,
): Promise<DeployedTemplate | undefined> => {
  const { CloudFormationClient, GetTemplateCommand } = await import('@aws-sdk/client-cloudformation');
  const client = new CloudFormationClient(clientConfig(access));
  try {
    const { TemplateBody = '{}' } = await client.send(new GetTemplateCommand({ StackName: stackName }));
    return JSON.parse(TemplateBody);
  } catch (error) {
    if (/does not exist/.test(errorText(error))) return undefined;
    throw error;
  }
};
