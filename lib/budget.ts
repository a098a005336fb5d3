import * as budgets from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';

/** A budget that notifies the alarms' topic when the account's monthly cost reaches 80 and 100 % of an amount in US dollars. */
export const addBudget = (scope: Construct, amount: number, alarms: Alarms): void => {
  alarms.letPublish('budgets.amazonaws.com');
  new budgets.CfnBudget(scope, 'Budget', {
    budget: { budgetType: 'COST', timeUnit: 'MONTHLY', budgetLimit: { amount, unit: 'USD' } },
    notificationsWithSubscribers: [80, 100].map((threshold) => ({
      notification: {
        notificationType: 'ACTUAL',
        comparisonOperator: 'GREATER_THAN',
        threshold,
        thresholdType: 'PERCENTAGE',
      },
      subscribers: [{ subscriptionType: 'SNS', address: alarms.topic.topicArn }],
    })),
  });
};
