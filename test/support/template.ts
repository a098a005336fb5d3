import { Template } from 'aws-cdk-lib/assertions';
import { keyOf, stacksOf } from './deployment.ts';

/** One dev stage for the options that don't exclude each other, because each context needs a synthesis. */
export const optionsContext = {
  warmThroughput: '150000,50000',
  abuseContact: 'mailto:abuse@example.com',
  figuresRetentionDays: '400',
  figuresWithin: '300',
  consoleName: 'Müller & Söhne',
  reservedConcurrency: '202',
  monthlyBudget: '49.50',
  eventBuses: 'orders,arn:aws:events:eu-west-1:111122223333:event-bus/theirs',
  export: 'on',
};

/** A stage with every alarm, some only with an option. */
export const watchedContext = {
  ...{ stage: 'prod', region: 'eu-west-1', alarmEmail: 'ops@example.com', export: 'on' },
  ...{ signIn: 'https://id.example.com', signInClient: 'links', ownHosts: 'tenants', healthCheck: 'on' },
  standby: 'eu-central-1',
};

/** A stage like prod without firewalls. */
export const stagingContext = { stage: 'staging', like: 'prod', waf: 'off' };

/** A dev stage where members sign in. */
export const signInContext = {
  signIn: 'https://id.example.com',
  signInClient: 'dls',
  callsPerSecond: '3000',
};

const known = new Map<string, Template>();

/** A stack as it is synthesized with a context, without its bundles. The kind is the service itself by default, or Edge, EdgeAlarms or standby. */
export const synthesizedStack = (context: Readonly<Record<string, string>> = {}, kind = ''): Template => {
  const key = keyOf(context) + kind;
  const template = known.get(key) ?? read(context, kind);
  known.set(key, template);
  return template;
};

/** Reads a template. A test of all deployments looks for cycles. */
const read = (context: Readonly<Record<string, string>>, kind: string): Template => {
  const stacks = Object.values(stacksOf(context));
  const isOfKind = new RegExp(kind === 'standby' ? '-standby$' : `^DynamicLinks${kind}-(?!.*-standby$)`);
  const stack = stacks.find(({ stackName }) => isOfKind.test(stackName));
  if (!stack) throw new Error(`There is no such stack: DynamicLinks${kind}`);
  return Template.fromJSON(stack.template, { skipCyclicalDependenciesCheck: true });
};

type Resource = { readonly Type: string; readonly Properties: Record<string, unknown> };

/** The resource that a `Ref` or `Fn::GetAtt` names. */
export const referred = (template: Template, reference: unknown): [string, Resource] => {
  const { Ref, 'Fn::GetAtt': attribute } = reference as { Ref?: string; 'Fn::GetAtt'?: [string, string] };
  const id = Ref ?? attribute?.[0] ?? '';
  return [id, template.toJSON().Resources[id]];
};

/** The table actions that a function's role is granted, with their resources. */
export const grantsOf = (template: Template, functionId: string) => {
  const { Role } = template.toJSON().Resources[functionId].Properties;
  const [roleId] = referred(template, Role);
  const policies = Object.values(template.findResources('AWS::IAM::Policy')).filter(({ Properties }) =>
    Properties.Roles.some(({ Ref }: { Ref: string }) => Ref === roleId),
  );
  const statements = policies.flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
  const ofTable = statements.filter(({ Action }) =>
    [Action].flat().some((action) => /^dynamodb:(?!.*(Stream|Shard|Records))/.test(action)),
  );
  return {
    statements: ofTable,
    actions: ofTable.flatMap(({ Action }) => [Action].flat()).sort(),
    leadingKeys: ofTable.map(
      ({ Condition }) => Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'],
    ),
    resources: ofTable.flatMap(({ Resource }) => [Resource].flat()),
  };
};
