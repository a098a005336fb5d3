import { CloudWatchClient, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import type { Config } from '../../lib/config.ts';
import { certificateDaysLeft, renewalDays } from '../aws/certificates.ts';
import { subscriptionStateOf } from '../aws/subscriptions.ts';
import { type Finding, finding, look, ok, todo } from './finding.ts';
import type { Plan } from './plan.ts';

/** Whether alarms have subscribers, and imported certificates are valid for weeks. */
export const watchingFindings = async ({ stacks, config }: Plan): Promise<Finding[]> => {
  const topics = new Set((await Promise.all(stacks.map(topicsOf))).flat());
  return Promise.all([
    finding('runbook', async () => runbook(config)),
    ...[...topics].map(topic),
    ...givenCertificates(config).map(certificate),
  ]);
};

const runbook = ({ runbookUrl }: Config) =>
  runbookUrl.startsWith('https:')
    ? ok('alarms link to it')
    : look("the alarms' emails have no link to the runbook: set runbookUrl to where your team reads it");

/** Topics of a stack's alarms, whose names begin with the stack's; none before the first deployment. */
const topicsOf = async ({ name, region }: Plan['stacks'][number]): Promise<string[]> => {
  const client = new CloudWatchClient({ region });
  const topics: string[] = [];
  try {
    for await (const { MetricAlarms = [] } of paginateDescribeAlarms(
      { client },
      { AlarmNamePrefix: `${name}-` },
    ))
      topics.push(...MetricAlarms.flatMap(({ AlarmActions = [] }) => AlarmActions));
  } catch {
    // Other findings report missing permissions.
  }
  return topics;
};

const topic = (arn: string): Promise<Finding> =>
  finding(`alarms of ${arn.split(':')[3]}`, async () => {
    const listeners = await subscriptionStateOf(arn);
    if (listeners === 'confirmed') return ok('the topic has a confirmed subscription');
    if (listeners === 'none') return look(`${arn} has no subscription`);
    return todo(`confirm the subscription in the email that SNS sent, or subscribe again to ${arn}`);
  });

const givenCertificates = ({ short, api }: Config): string[] =>
  [short, api].flatMap((domain) => domain?.certificateArn ?? []);

const certificate = (arn: string): Promise<Finding> =>
  finding(`certificate ${arn.split('/').at(-1)}`, async () => {
    const days = await certificateDaysLeft(arn);
    if (days === undefined) return look("ACM hasn't published when it expires");
    return days >= renewalDays ? ok(`${days} days are left`) : todo(`${days} days are left: renew it`);
  });
