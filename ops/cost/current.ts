import { readFileSync } from 'node:fs';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { addDeployment } from '../../lib/deployment.ts';
import { settingsOf } from '../../lib/settings.ts';
import { type Capacity, type CostInputs, costPage, type Fixed } from './page.ts';

const root = path.join(import.meta.dirname, '../..');
const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

interface Resource {
  readonly Type: string;
  readonly Properties: {
    readonly Metrics?: readonly { readonly MetricStat?: object }[];
    readonly Rules?: readonly unknown[];
  };
}

/** What the stacks of a stage cost by being there. */
const fixedOf = (stage: string): Fixed => {
  const { context: flags } = read('cdk.json');
  const app = new App({ context: { ...flags, 'aws:cdk:bundling-stacks': [], stage } });
  addDeployment(app, settingsOf(app.node.getAllContext()));
  const resources = app
    .synth()
    .stacks.flatMap(({ template }) => Object.values(template.Resources as Record<string, Resource>));
  const alarms = resources.filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm');
  const firewalls = resources.filter(({ Type }) => Type === 'AWS::WAFv2::WebACL');
  const watched = ({ Properties: { Metrics = [{ MetricStat: {} }] } }: Resource) =>
    Metrics.filter(({ MetricStat }) => MetricStat).length;
  return {
    alarmMetrics: alarms.reduce((sum, alarm) => sum + watched(alarm), 0),
    firewalls: firewalls.length,
    firewallRules: firewalls.reduce((sum, { Properties }) => sum + (Properties.Rules?.length ?? 0), 0),
  };
};

/** The content of docs/cost.md, from measurements and inputs. */
export const currentCostPage = (): string =>
  costPage(
    read('docs/cost-inputs.json') as CostInputs,
    read('bench/capacity-budget.json') as Record<string, Capacity>,
    { dev: fixedOf('dev'), prod: fixedOf('prod') },
  );
