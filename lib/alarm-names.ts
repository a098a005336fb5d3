import { Token } from 'aws-cdk-lib';
import type * as sns from 'aws-cdk-lib/aws-sns';
import { ConfigError } from './config-error.ts';

/** Descriptions of alarms by the runbook's headings. */
export const descriptions = {
  ApiErrors: 'At least one API call in a hundred fails with a 5xx',
  ApiSlow: 'One API call in a hundred, of a hundred or more a minute, takes two seconds or longer',
  AuthorizerErrors: "API keys can't be looked up, so calls fail",
  BatchesLost: 'Lambda could not write a failed batch into the failures bucket',
  CallsRefused: 'For ten minutes one API call in ten, and fifty a minute, have been refused with 429',
  ClicksLate: 'Click analytics are more than half an hour behind; nothing is lost within 23 hours',
  ClicksLost:
    'Neither the table nor the queue accepted a click; its visitor was redirected, but it is not counted',
  ClicksSkipped: 'A click could not be read from the stream and is missing from the analytics',
  ClicksUndeliverable: 'Clicks could not be counted in a thousand attempts and are in the dead letter queue',
  ClicksWaiting: 'Clicks have waited for half an hour to be counted; nothing is lost within two weeks',
  ConsumerErrors: 'A function that reads the stream of the table keeps failing',
  CopyErrors: 'Items can not be copied to the second region; they are tried again every two minutes',
  CopyLate: 'Changes have waited for a minute to reach the second region; visitors there see older links',
  EdgeErrors: 'CloudFront responds with a 5xx to at least one visitor in a hundred, and five a minute',
  EdgeRefusals: 'For ten minutes half of a thousand or more requests a minute have returned a 4xx',
  ExpiryLate: 'Stored states of expired links and events are behind; responses do not depend on them',
  ExportDelayed: 'Firehose did not accept rows of exported clicks; they wait as files in the failures bucket',
  ExportLate:
    'Rows of exported clicks have waited an hour for their file; Firehose drops them after 24 hours',
  ExportLost:
    'Neither Firehose nor the failures bucket accepted rows of exported clicks; analytics are right',
  ExportRefused: 'Firehose could not convert a row of exported clicks, and put it under errors/',
  FirewallBlocks: 'For ten minutes the firewall has blocked five hundred requests a minute',
  FunctionsThrottled: 'Functions of the account have run out of concurrency',
  HealthCheck: "Route 53 can't reach the short host",
  RateCounterUnavailable: "Calls can't be counted: reads pass, writes are refused",
  ReadersStopped:
    'For three quarters of an hour clicks have been written, and a stream consumer has not run; after 24 hours they are lost',
  RedirectErrors: 'At least one request in a hundred to short URLs fails',
  RedirectSlow: 'One visitor in a hundred waits a second or longer',
  SenderErrors:
    'The function that sends events to webhooks keeps failing; its messages are redelivered for two weeks',
  SignInErrors: "Members can't sign in: the identity provider doesn't respond, or the function fails",
  StandbyClicksWaiting:
    'Clicks have waited for an hour in the second region; nothing is lost within two weeks',
  StandbyErrors: 'The second region could not answer visitors, or lost a click',
  StandbyHealthCheck: 'The second region could not serve visitors now, or is a minute behind',
  TableThrottled: 'DynamoDB throttles requests to the table',
  WebhooksFailing:
    'A webhook has failed for an hour, or received nothing for six, and its clicks and opens are dropped',
} as const;

export type Heading = keyof typeof descriptions;

/** The alarms' names, which are headings of the runbook. */
export type AlarmName = Heading | 'Release';

/** Actions of alarms that don't notify the usual topic. */
export type AlarmOverrides = { readonly [Name in AlarmName]?: { readonly actions: 'none' | sns.ITopic } };

export const alarmNames: readonly string[] = ['Release', ...Object.keys(descriptions)].sort();

/** Throws ConfigError for a name that no alarm can have. */
export const checkAlarms = (overrides: AlarmOverrides): void => {
  const unknown = Object.keys(overrides).find((name) => !alarmNames.includes(name));
  if (unknown) throw new ConfigError(`alarms has no ${unknown}; the names are ${alarmNames.join(', ')}`);
  for (const [name, { actions }] of Object.entries(overrides))
    if (actions !== 'none') refuseFifo(`alarms.${name}.actions`, actions);
};

/** Alarms can't notify a FIFO topic. */
export const refuseFifo = (name: string, topic: sns.ITopic): void => {
  if (topic.fifo || topic.topicArn.endsWith('.fifo'))
    throw new ConfigError(`${name} must be a standard topic, not a FIFO topic`);
};

/** Whether two regions differ; false if one is known only at deployment. */
export const differ = (...regions: readonly [string, string]): boolean =>
  !regions.some((one) => Token.isUnresolved(one)) && regions[0] !== regions[1];
