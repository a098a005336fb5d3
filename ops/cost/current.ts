import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Config, configOf } from '../../lib/config.ts';
import { settingsOf } from '../../lib/settings.ts';
import { cdkFlags } from '../base/cdk-flags.ts';
import { synthesizedStacks } from '../base/synthesized-stacks.ts';
import type { Fixed } from './idle.ts';
import { costInputs, type Units } from './inputs.ts';
import { costPage } from './page.ts';

interface Metric {
  readonly Namespace?: string;
  readonly MetricName?: string;
  readonly Dimensions?: unknown;
}

interface Resource {
  readonly Type: string;
  readonly Properties: Metric & {
    readonly Metrics?: readonly { readonly MetricStat?: { readonly Metric: Metric } }[];
    readonly Rules?: readonly unknown[];
    readonly EventSourceArn?: { readonly 'Fn::GetAtt'?: readonly [string, string] };
  };
}

/** The fixed parts of a context's stacks, and their settings. Throws ConfigError. */
export const fixedOf = (
  context: Readonly<Record<string, string>>,
  stageValues: Parameters<typeof settingsOf>[1] = () => ({}),
): { readonly fixed: Fixed; readonly config: Config } => {
  const settings = settingsOf({ ...cdkFlags(), ...context }, stageValues);
  const fixed = synthesizedStacks({
    settings,
    read: (stacks) => countedIn(stacks.map(({ template }) => template.Resources as Template)),
  });
  const config = configOf(settings);
  // The stack doesn't make this secret, but it is there for it.
  const secrets = fixed.secrets + (config.signInSecret ? 1 : 0);
  return { config, fixed: { ...fixed, secrets } };
};

type Template = Readonly<Record<string, Resource>>;

const countedIn = (templates: readonly Template[]): Fixed => {
  const resources = templates.flatMap((template) => Object.values(template));
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type);
  const firewalls = ofType('AWS::WAFv2::WebACL');
  const watched = ofType('AWS::CloudWatch::Alarm').flatMap(({ Properties }) =>
    Properties.Metrics
      ? Properties.Metrics.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric] : []))
      : [Properties],
  );
  const own = watched.filter(({ Namespace }) => !Namespace?.startsWith('AWS/'));
  const names = own.map(({ MetricName, Dimensions }) => JSON.stringify([MetricName, Dimensions]));
  const sources = templates.flatMap((template) =>
    Object.values(template).map(
      ({ Properties }) => template[Properties?.EventSourceArn?.['Fn::GetAtt']?.[0] ?? ''],
    ),
  );
  return {
    alarmMetrics: watched.length,
    ownMetrics: new Set(names).size,
    dashboards: ofType('AWS::CloudWatch::Dashboard').length,
    secrets: ofType('AWS::SecretsManager::Secret').length,
    queues: sources.filter((source) => source?.Type === 'AWS::SQS::Queue').length,
    firewalls: firewalls.length,
    firewallRules: firewalls.reduce((sum, { Properties }) => sum + (Properties.Rules?.length ?? 0), 0),
  };
};

/** Measured table units by operation. */
export const capacityBudget = (): Units =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, '../../bench/capacity-budget.json'), 'utf8'));

/** The content of docs/cost.md, from measurements and inputs. */
export const currentCostPage = (): string => {
  const model = { inputs: costInputs(), budget: capacityBudget() };
  const [dev, prod] = [fixedOf({ stage: 'dev' }).fixed, fixedOf({ stage: 'prod' }).fixed];
  return costPage(model, { dev, prod });
};
