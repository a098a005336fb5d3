import { configOf } from '../../lib/config.ts';
import { settingsOf } from '../../lib/settings.ts';
import { cdkFlags } from '../base/cdk-flags.ts';
import { synthesizedStacks } from '../base/synthesized-stacks.ts';

/** The parts of a stage's stacks with a fixed cost. Queues are those that functions read. */
export type Fixed = ReturnType<typeof countedIn>;

interface Resource {
  readonly Type: string;
  readonly Properties: {
    readonly Metrics?: readonly { readonly MetricStat?: object }[];
    readonly Rules?: readonly unknown[];
    readonly ReplicaRegions?: readonly unknown[];
    readonly EventSourceArn?: { readonly 'Fn::GetAtt'?: readonly [string, string] };
  };
}

/** Resources with a fixed monthly cost in the stacks of a context. */
export const fixedOf = (context: Readonly<Record<string, string>>): Fixed => {
  const settings = settingsOf({ ...cdkFlags(), ...context });
  const fixed = synthesizedStacks({
    settings,
    read: (stacks) => countedIn(stacks.map(({ template }) => template.Resources as Template)),
  });
  // Operators create the identity provider's secret outside the stack, and it is billed too.
  const secrets = fixed.secrets + (configOf(settings).signInSecret ? 1 : 0);
  return { ...fixed, secrets };
};

type Template = Readonly<Record<string, Resource>>;

const countedIn = (templates: readonly Template[]) => {
  const resources = templates.flatMap((template) => Object.values(template));
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type);
  const secrets = ofType('AWS::SecretsManager::Secret');
  const replicas = secrets.flatMap(({ Properties: { ReplicaRegions = [] } }) => ReplicaRegions);
  const firewalls = ofType('AWS::WAFv2::WebACL');
  const metrics = ofType('AWS::CloudWatch::Alarm').map(
    ({ Properties: { Metrics } }) => Metrics?.filter(({ MetricStat }) => MetricStat).length ?? 1,
  );
  const sources = templates.flatMap((template) =>
    Object.values(template).map(
      ({ Properties }) => template[Properties?.EventSourceArn?.['Fn::GetAtt']?.[0] ?? ''],
    ),
  );
  return {
    alarmMetrics: metrics.reduce((sum, count) => sum + count, 0),
    dashboards: ofType('AWS::CloudWatch::Dashboard').length,
    secrets: secrets.length + replicas.length,
    queues: sources.filter((source) => source?.Type === 'AWS::SQS::Queue').length,
    firewalls: firewalls.length,
    firewallRules: firewalls.reduce((sum, { Properties }) => sum + (Properties.Rules?.length ?? 0), 0),
  };
};
