/** CloudFormation's description of a deployed stack. */
export interface DescribedStack {
  readonly status: string;
  readonly outputs: Readonly<Record<string, string>>;
}

interface Access {
  readonly region?: string | undefined;
  readonly profile?: string | undefined;
}

/** Describes a stack. Throws the SDK's error, also if there is no such stack. */
export const describeStack = async (stackName: string, access: Access): Promise<DescribedStack> => {
  // Loaded only here: it takes longer than a whole command on a local stack.
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const { region, profile } = access;
  const client = new CloudFormationClient({ ...(region && { region }), ...(profile && { profile }) });
  const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
  const { StackStatus: status = '', Outputs = [] } = Stacks?.[0] ?? {};
  const outputs = Object.fromEntries(
    Outputs.map(({ OutputKey, OutputValue }) => [OutputKey ?? '', OutputValue ?? '']),
  );
  return { status, outputs };
};
