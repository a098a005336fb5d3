import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ServiceApi } from './api.ts';
import { Clicks } from './clicks.ts';
import type { Config } from './config.ts';
import { ShortLinks } from './short-links.ts';
import { ServiceTable } from './table.ts';

export interface DynamicLinksStackProps extends StackProps {
  readonly config: Config;
}

/** The whole service. */
export class DynamicLinksStack extends Stack {
  constructor(scope: Construct, id: string, { config, ...props }: DynamicLinksStackProps) {
    super(scope, id, props);
    const table = new ServiceTable(this, 'Data', { retain: config.stage === 'prod' });
    const shortLinks = new ShortLinks(this, 'ShortLinks', { table, config });
    const api = new ServiceApi(this, 'Api', { table, config, shortBase: shortLinks.baseUrl });
    new Clicks(this, 'Clicks', { table });

    new CfnOutput(this, 'ApiBaseUrl', { value: api.baseUrl });
    new CfnOutput(this, 'ShortBaseUrl', { value: shortLinks.baseUrl });
    new CfnOutput(this, 'TableName', { value: table.table.tableName });
  }
}
