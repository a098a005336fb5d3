import { openPaths, openRate } from '../../lib/method-rates.ts';
import { certificateDaysLeft, renewalDays } from '../aws/certificates.ts';
import { subscriptionStateOf } from '../aws/subscriptions.ts';
import type { Alarm, DeployedStack } from './deployed-stack.ts';
import { eventually } from './eventually.ts';
import { expectTrue, same } from './expect.ts';
import { type Check, Skipped } from './run.ts';
import type { SmokeSession } from './session.ts';

/** The least urgent alarm, and not one that rolls a release back. */
const leastUrgent = 'ExpiryLate';

const deployedOf = ({ deployed }: SmokeSession): DeployedStack => {
  if (deployed) return deployed;
  throw new Skipped('a local stack has no CloudWatch, and throttles nothing');
};

const serviceAlarm: Check['run'] = async (session) => {
  const deployed = deployedOf(session);
  const alarm = (await deployed.alarms()).find(({ name }) => name.includes(leastUrgent));
  if (!alarm) throw new Error(`the stack has no alarm ${leastUrgent}`);
  return delivered(session, deployed, alarm);
};

const edgeAlarm: Check['run'] = async (session) => {
  const deployed = deployedOf(session);
  const [alarm] = await deployed.edgeAlarms();
  if (!alarm) throw new Skipped('no alarm watches the distribution');
  return delivered(session, deployed, alarm);
};

/** Sets the alarm off and resets it; CloudWatch's history shows whether the topic accepted the message. */
const delivered = async ({ timeoutMs }: SmokeSession, deployed: DeployedStack, alarm: Alarm) => {
  // Tolerates a clock that is slightly ahead.
  const since = new Date(Date.now() - 30_000);
  const before = (await deployed.actionsSince(alarm, since)).length;
  await deployed.setState(alarm, 'ALARM');
  try {
    const actions = await eventually(
      () => deployed.actionsSince(alarm, since),
      (found) => found.length > before,
      { shown: () => 'without any action', limitMs: timeoutMs, pauseMs: 1000 },
    );
    const failed = actions.slice(before).find((action) => !action.startsWith('Successfully executed'));
    expectTrue(`${alarm.name}: ${failed}`, failed === undefined);
  } finally {
    await deployed.setState(alarm, 'OK');
  }
  return `${alarm.name} was set to ALARM and back to OK; its emails come from this test`;
};

/** Checks subscriptions: a topic drops alarms' messages until one is confirmed. */
const listeners: Check['run'] = async (session) => {
  const deployed = deployedOf(session);
  const alarms = [...(await deployed.alarms()), ...(await deployed.edgeAlarms())];
  const topics = [...new Set(alarms.flatMap((alarm) => alarm.topics))];
  const found = await Promise.all(topics.map(async (arn) => ({ arn, has: await subscriptionStateOf(arn) })));
  const named = (wanted: string) => found.filter(({ has }) => has === wanted).map(({ arn }) => arn);
  expectTrue(`unconfirmed subscriptions: ${named('pending').join(', ')}`, named('pending').length === 0);
  if (named('none').length > 0) throw new Skipped(`no subscription: ${named('none').join(', ')}`);
  return undefined;
};

const certificates: Check['run'] = async (session) => {
  const found = await deployedOf(session).certificates();
  if (found.length === 0) throw new Skipped('no custom domain has a certificate here');
  const all = await Promise.all(found.map(async (arn) => ({ arn, days: await certificateDaysLeft(arn) })));
  const ending = all.filter(({ days = renewalDays }) => days < renewalDays);
  const says = all.map(({ arn, days = 'unknown' }) => `${arn.split('/').at(-1)}: ${days}`).join(', ');
  expectTrue(`days left: ${says}`, ending.length === 0);
  return `days left: ${says}`;
};

/**
 * Checks that expressions have values: one over missing metrics may have none, and its alarm would never go off. This
 * run has used the service, so many metrics have values.
 */
const expressions: Check['run'] = async (session) => {
  const deployed = deployedOf(session);
  const alarms = [...(await deployed.alarms()), ...(await deployed.edgeAlarms())].filter(
    ({ metrics }) => metrics.length > 0,
  );
  if (alarms.length === 0) throw new Skipped('no alarm computes anything here');
  const asked = alarms.flatMap((alarm) =>
    /ReadersStopped/.test(alarm.name) ? [alarm, neverRun(alarm)] : [alarm],
  );
  const found = await eventually(
    () => Promise.all(asked.map((alarm) => seen(deployed, alarm))),
    (all) => all.some(({ hasValues }) => hasValues),
    { shown: () => 'no metric of any alarm', limitMs: session.timeoutMs, pauseMs: 5000 },
  );
  const without = found.flatMap(({ withoutValues }) => withoutValues);
  expectTrue(`without a value though its first metric has some: ${without.join(', ')}`, without.length === 0);
  return `${found.filter(({ hasValues }) => hasValues).length} of ${asked.length} have values by now`;
};

/** The alarm on stopped readers for functions that never ran, whose metrics have no value at all. */
const neverRun = (alarm: Alarm): Alarm => ({
  ...alarm,
  name: `${alarm.name} for functions that never ran`,
  metrics: alarm.metrics.map((one) => {
    const { MetricStat: stat } = one;
    if (stat?.Metric?.MetricName !== 'Invocations') return one;
    const Dimensions = [{ Name: 'FunctionName', Value: 'never-ran' }];
    return { ...one, MetricStat: { ...stat, Metric: { ...stat.Metric, Dimensions } } };
  }),
});

const seen = async (deployed: DeployedStack, alarm: Alarm) => {
  const values = await deployed.valuesOf(alarm);
  const first = alarm.metrics.find(({ MetricStat }) => MetricStat)?.Id ?? '';
  const hasValues = (values.get(first) ?? 0) > 0;
  const withoutValues = alarm.metrics
    .filter(({ Id = '', Expression }) => Expression && hasValues && !values.get(Id))
    .map(({ Expression }) => `${alarm.name} (${Expression})`);
  return { hasValues, withoutValues };
};

const edgeMetric: Check['run'] = async (session) => {
  const deployed = deployedOf(session);
  const started = Date.now();
  const requests = await eventually(deployed.edgeRequests, (count) => count > 0, {
    shown: () => 'no data of AWS/CloudFront Requests in us-east-1',
    limitMs: session.timeoutMs,
    pauseMs: 5000,
  });
  return `${requests} requests, after ${Math.ceil((Date.now() - started) / 1000)} s`;
};

/** Checks the settings of rate limits without testing them, because API Gateway applies them only approximately. */
const rates: Check['run'] = async (session) => {
  const found = await deployedOf(session).methodRates();
  for (const path of openPaths)
    same(`the rate of ${path}, without a key`, found.get(`${path}/GET`), openRate);
  const ofClients = found.get('*/*') ?? 0;
  expectTrue(`methods of clients have a rate of ${ofClients}, as those without a key`, ofClients > openRate);
};

export const watchChecks: readonly Check[] = [
  { name: 'an alarm of the service reaches its topic', run: serviceAlarm },
  { name: 'an alarm of the edge reaches its topic', run: edgeAlarm },
  { name: 'alarms have a confirmed subscription', run: listeners },
  { name: `certificates are valid for ${renewalDays} days`, run: certificates },
  { name: 'alarms on expressions can go off', run: expressions },
  { name: "CloudFront's requests have metrics", run: edgeMetric },
  { name: 'methods without a key have a low rate limit, those with a key the full one', run: rates },
];
