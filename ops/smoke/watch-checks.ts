import type { Alarm, DeployedStack } from './deployed-stack.ts';
import { holds } from './expect.ts';
import { eventually } from './patience.ts';
import { type Check, Skipped } from './run.ts';
import type { Session } from './session.ts';

/** The least urgent alarm, and not one that rolls a release back. */
const servicesAlarm = /ExpiryLate/;

const deployedOf = ({ deployed }: Session): DeployedStack => {
  if (deployed) return deployed;
  throw new Skipped('there is no CloudWatch beside a local stack');
};

const serviceAlarm: Check['run'] = async (session) => {
  const deployed = deployedOf(session);
  const name = await deployed.resource('AWS::CloudWatch::Alarm', servicesAlarm);
  if (!name) throw new Error(`the stack has no alarm ${servicesAlarm.source}`);
  return delivered(session, deployed, { name, region: deployed.region });
};

const edgeAlarm: Check['run'] = async (session) => {
  const deployed = deployedOf(session);
  const [alarm] = await deployed.edgeAlarms();
  if (!alarm) throw new Skipped('no alarm watches the distribution');
  return delivered(session, deployed, alarm);
};

/** Sets the alarm off and takes it back; CloudWatch writes down whether the topic took its message. */
const delivered = async ({ patienceMs }: Session, deployed: DeployedStack, alarm: Alarm): Promise<string> => {
  // A clock that is a little ahead must not hide what happens now.
  const since = new Date(Date.now() - 30_000);
  const before = (await deployed.actionsSince(alarm, since)).length;
  await deployed.setState(alarm, 'ALARM');
  try {
    const actions = await eventually(
      () => deployed.actionsSince(alarm, since),
      (found) => found.length > before,
      { shown: () => 'without any action', limitMs: patienceMs, pauseMs: 1000 },
    );
    const failed = actions.slice(before).find((action) => !action.startsWith('Successfully executed'));
    holds(`${alarm.name}: ${failed}`, failed === undefined);
  } finally {
    await deployed.setState(alarm, 'OK');
  }
  return `${alarm.name} was set to ALARM and back to OK; its mails come from this test`;
};

const edgeMetric: Check['run'] = async (session) => {
  const deployed = deployedOf(session);
  const started = Date.now();
  const requests = await eventually(deployed.edgeRequests, (count) => count > 0, {
    shown: () => 'no data of AWS/CloudFront Requests in us-east-1',
    limitMs: session.patienceMs,
    pauseMs: 5000,
  });
  return `${requests} requests, after ${Math.ceil((Date.now() - started) / 1000)} s`;
};

export const watchChecks: readonly Check[] = [
  { name: 'an alarm of the service reaches its topic', run: serviceAlarm },
  { name: 'an alarm of the edge reaches its topic', run: edgeAlarm },
  { name: "CloudFront's requests are measured", run: edgeMetric },
];
