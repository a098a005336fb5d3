import { CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { tableSchema } from '../core/table/keys.ts';

export interface TakedownRecordProps {
  /** Keeps the record whatever happens to the stack. */
  readonly retain: boolean;
}

/**
 * What operators took down and gave back: a table of its own, so that the record survives when the service's table is
 * lost or goes back to an earlier moment. No function may reach it.
 */
export class TakedownRecord extends Construct {
  constructor(scope: Construct, id: string, { retain }: TakedownRecordProps) {
    super(scope, id);
    const table = new dynamodb.Table(this, 'Record', {
      partitionKey: { name: tableSchema.partitionKey, type: dynamodb.AttributeType.STRING },
      sortKey: { name: tableSchema.sortKey, type: dynamodb.AttributeType.STRING },
      billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: retain,
      removalPolicy: retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    new CfnOutput(Stack.of(this), 'TakedownTable', { value: table.tableName });
  }
}
