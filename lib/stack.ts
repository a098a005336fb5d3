import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledgements.ts';
import { ServiceApi } from './api.ts';
import { addBudget } from './budget.ts';
import { Clicks } from './clicks.ts';
import type { Config } from './config.ts';
import type { EdgeStack } from './edge-stack.ts';
import { Monitoring } from './monitoring.ts';
import { Releases } from './releases.ts';
import { ShortLinks } from './short-links.ts';
import { ServiceTable } from './table.ts';
import { TakedownRecord } from './takedown-record.ts';

export interface DynamicLinksStackProps extends StackProps {
  readonly config: Config;
  readonly edge?: EdgeStack;
}

/** The whole service. */
export class DynamicLinksStack extends Stack {
  readonly shortLinks: ShortLinks;

  constructor(scope: Construct, id: string, { config, edge, ...props }: DynamicLinksStackProps) {
    super(scope, id, props);
    const table = new ServiceTable(this, 'Data', {
      retain: config.stage === 'prod',
      adopted: config.adopted,
    });
    new TakedownRecord(this, 'Takedowns', { retain: config.stage === 'prod' });
    const service = { config, table };
    const shortLinks = new ShortLinks(this, 'ShortLinks', { service, ...(edge && { edge }) });
    this.shortLinks = shortLinks;
    const api = new ServiceApi(this, 'Api', {
      ...service,
      shortBase: shortLinks.baseUrl,
      shortHost: shortLinks.distribution.domainName,
    });
    const clicks = new Clicks(this, 'Clicks', service);
    const monitoring = new Monitoring(this, 'Monitoring', { config, table, shortLinks, api, clicks });
    if (config.monthlyBudget) addBudget(this, config.monthlyBudget, monitoring.alarms);
    if (config.stage === 'prod') new Releases(this, 'Releases', { shortLinks, api, monitoring });
    acknowledge(this, config);

    new CfnOutput(this, 'ApiBaseUrl', { value: api.baseUrl });
    new CfnOutput(this, 'ShortBaseUrl', { value: shortLinks.baseUrl });
    // For `npm run deploy`, which compares: a deployment with fewer choices would remove these.
    if (config.alarmEmail) new CfnOutput(this, 'AlarmEmail', { value: config.alarmEmail });
    if (config.adopted) new CfnOutput(this, 'AdoptedTable', { value: config.adopted.name });
    if (config.figuresRetentionDays)
      new CfnOutput(this, 'FiguresRetentionDays', { value: String(config.figuresRetentionDays) });
    new CfnOutput(this, 'TableName', { value: table.table.tableName });
    new CfnOutput(this, 'DashboardUrl', { value: monitoring.dashboardUrl });
  }
}
