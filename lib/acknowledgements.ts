import type { CfnElement } from 'aws-cdk-lib';
import { type Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { Config } from './config.ts';

/** A finding of a rule pack that holds here, by the path of its construct in its stack. */
type Row = readonly [on: RegExp, rule: string, reason: string];

const functions: readonly Row[] = [
  [
    /\/Function$/,
    'Serverless-LambdaDLQ',
    'Nothing invokes it asynchronously, which is what a dead letter queue is for',
  ],
  [
    /^ShortLinks\/\w+\/Function$/,
    'Serverless-LambdaTracing',
    'It runs too often for traces to be worth their price',
  ],
  [/^Clicks\/\w+\/Function$/, 'Serverless-LambdaTracing', 'It runs behind the stream, where no trace begins'],
  [
    /^ClickQueue\/\w+\/Function$/,
    'Serverless-LambdaTracing',
    'It runs behind the queue, where no trace begins',
  ],
  [
    /^ClickQueue\/\w+\/Function$/,
    'Serverless-LambdaEventSourceMappingDestination',
    'What fails goes back to its queue, and in the end to the dead letter queue',
  ],
  [/^Api\/.*\/Role$/, 'AwsSolutions-IAM5[Resource::*]', 'X-Ray takes traces without a resource to name'],
  [
    /^Clicks\/\w+\/Role$/,
    'AwsSolutions-IAM5[Resource::*]',
    'Listing streams takes no resource; reading is granted on this stream alone',
  ],
];

const storage: readonly Row[] = [
  [/^Clicks\/Failures$/, 'AwsSolutions-S1', 'Lambda alone writes to it, and operators alone read it'],
  [
    /^Clicks\/\w+\/Role$/,
    'AwsSolutions-IAM5[Resource::<Clicks/Failures>/*]',
    'Lambda itself names the objects that it writes',
  ],
  [
    /^Clicks\/Export\/Files$/,
    'AwsSolutions-S1',
    'Firehose alone writes to it, and who reads it is up to the operators',
  ],
  [
    /^Clicks\/Export\/Role$/,
    'AwsSolutions-IAM5[Resource::<Clicks/Export/Files>/*]',
    'Firehose itself names the files that it writes',
  ],
  [
    /^ShortLinks\/VisitorSecret$/,
    'AwsSolutions-SMG4',
    'With another secret every returning visitor would count as a new one',
  ],
  [/^ClickQueue\/DeadLetters$/, 'Serverless-SQSRedrivePolicy', 'It is the dead letter queue'],
  [
    /(^|\/)Topic$/,
    'Serverless-SNSRedrivePolicy',
    'A mail that can not be delivered is not to be kept: the alarm itself stays red',
  ],
];

const managed = '[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/';

const api: readonly Row[] = [
  [
    /^Api$/,
    'AwsSolutions-APIG2',
    'Each function validates by its contract, so that refusals have the shape and headers of the API',
  ],
  [
    /^Api$/,
    'AwsSolutions-APIG6',
    "Execution logs would hold clients' headers; the access log names project and key id instead",
  ],
  [/^Api$/, 'AwsSolutions-COG4', 'Clients are machines with API keys, which the authorizer looks up'],
  [
    /^Api\/Rest\/.*\/(openapi\.json|docs|\{file\})\/GET$/,
    'AwsSolutions-APIG4',
    "The API's description is public",
  ],
  [/^Api\/Rest\/.*\/ANY$/, 'AwsSolutions-APIG4', 'It tells which methods a path has, and nothing else'],
  [
    /^Api$/,
    `AwsSolutions-IAM4${managed}AmazonAPIGatewayPushToCloudWatchLogs]`,
    'The policy that AWS names for this account setting',
  ],
  [
    /^Releases$/,
    `AwsSolutions-IAM4${managed}AWSCodeDeployRoleForLambdaLimited]`,
    'The policy that AWS keeps for shifting traffic between versions, and no other',
  ],
];

const distributions = /^ShortLinks\/(OwnHosts\/)?Distribution$/;

const shortUrls: readonly Row[] = [
  [distributions, 'AwsSolutions-CFR1', 'Short URLs are for visitors of every country'],
  [
    distributions,
    'AwsSolutions-CFR3',
    "Access logs would keep visitors' addresses, which this service promises not to store",
  ],
  [
    /^ShortLinks\/OwnHosts\/Distribution$/,
    'AwsSolutions-CFR4',
    'A template has no viewers; its tenants bring their certificates',
  ],
];

/** One fixed page needs nothing that guards data or explains a call. */
const retryPage = [
  ...['APIG1', 'APIG2', 'APIG3', 'APIG4', 'APIG6', 'COG4'].map((rule) => `AwsSolutions-${rule}`),
  ...['Serverless-APIGWAccessLogging', 'Serverless-APIGWXrayEnabled'],
].map((rule): Row => [/^ShortLinks\/Behaviors\/Retry$/, rule, 'It is one public page, which the edge keeps']);

const withoutFirewall: readonly Row[] = [
  [/^Api$/, 'AwsSolutions-APIG3', 'Off in this stage; the context key waf turns it on'],
  [distributions, 'AwsSolutions-CFR2', 'Off in this stage; the context key waf turns it on'],
];

const withoutDomain: readonly Row[] = [
  [
    /^ShortLinks\/Distribution$/,
    'AwsSolutions-CFR4',
    "CloudFront's own certificate fixes the protocol; an own domain raises it",
  ],
];

/** Acknowledges what rule packs find in a whole stack. */
export const acknowledge = (stack: Stack, { waf, short }: Config): void => {
  const all: readonly Row[] = [
    ...[...functions, ...storage, ...api, ...shortUrls, ...retryPage],
    ...(waf ? [] : withoutFirewall),
    ...(short ? [] : withoutDomain),
  ];
  const constructs = stack.node.findAll().map((one) => [pathIn(stack, one), one] as const);
  const named = new Map(constructs);
  // Findings name a bucket by its logical id.
  const arnOf = (path: string): string =>
    `<${stack.getLogicalId(named.get(path)?.node.defaultChild as CfnElement)}.Arn>`;
  for (const [on, rule, reason] of all)
    for (const [path, construct] of constructs) {
      if (!on.test(path)) continue;
      const id = rule.replace(/<(Clicks\/[\w/]+)>/, (_, bucket) => arnOf(bucket));
      Validations.of(construct).acknowledge({ id: `${rule.split('-')[0]}::${id}`, reason });
    }
};

const pathIn = (stack: Stack, { node }: IConstruct): string => node.path.slice(stack.node.path.length + 1);
