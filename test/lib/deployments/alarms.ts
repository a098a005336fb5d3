import { templateContexts } from '../../../bin/template-contexts.ts';
import { resources, stacksOf, type TemplateResource } from '../../support/deployment.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Principal: { readonly Service?: string | readonly string[] };
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

const all = Object.entries(templateContexts).flatMap(([name, context]) =>
  Object.keys(stacksOf(context)).flatMap((stack) => {
    const inStack = resources(context, stack);
    return inStack
      .filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm')
      .map(([id, alarm]): [string, TemplateResource, [string, TemplateResource][]] => [
        `${id} of ${stack} (${name})`,
        alarm,
        inStack,
      ]);
  }),
);

/** A topic's policy statements. */
const allowedOn = (topicId: string, inStack: [string, TemplateResource][]): Statement[] =>
  inStack
    .filter(([, { Type, Properties }]) => {
      const topics = (Properties?.Topics ?? []) as { Ref: string }[];
      return Type === 'AWS::SNS::TopicPolicy' && topics.some(({ Ref }) => Ref === topicId);
    })
    .flatMap(
      ([, { Properties }]) =>
        (Properties?.PolicyDocument as { Statement: Statement[] } | undefined)?.Statement ?? [],
    )
    .filter(({ Effect }) => Effect === 'Allow');

const lets = (service: string, topicId: string, inStack: [string, TemplateResource][]): boolean =>
  allowedOn(topicId, inStack).some(
    ({ Action, Principal, Resource, Condition }) =>
      [Action].flat().includes('sns:Publish') &&
      [Principal.Service].flat().includes(service) &&
      JSON.stringify(Resource) === JSON.stringify({ Ref: topicId }) &&
      JSON.stringify(Condition) ===
        JSON.stringify({ StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } }),
  );

test.each(all)(
  '%s reaches a topic where CloudWatch may publish, or guards releases',
  (id, alarm, inStack) => {
    const { AlarmActions, OKActions } = alarm.Properties ?? {};
    if (/Release/.test(id)) {
      expect([AlarmActions, OKActions]).toEqual([undefined, undefined]);
      return;
    }
    expect(OKActions).toEqual(AlarmActions);
    const [{ Ref: topicId }] = AlarmActions as [{ Ref: string }];
    expect(inStack.find(([topic]) => topic === topicId)?.[1].Type).toBe('AWS::SNS::Topic');
    expect(lets('cloudwatch.amazonaws.com', topicId, inStack)).toBe(true);
  },
);

test('every alarm of releases guards a release', () => {
  const prod = resources(templateContexts.prod ?? {}, 'DynamicLinks-prod');
  const guarding = JSON.stringify(prod.filter(([, { Type }]) => Type === 'AWS::CodeDeploy::DeploymentGroup'));
  const silent = prod.filter(([id, { Type }]) => Type === 'AWS::CloudWatch::Alarm' && /Release/.test(id));
  expect(silent).toHaveLength(5);
  expect(silent.filter(([id]) => !guarding.includes(`"Ref":"${id}"`))).toEqual([]);
});

test.each(Object.entries(templateContexts).filter(([, { stage }]) => stage === 'prod'))(
  '%s has alarms for the edge in us-east-1, with the same mail address',
  (_, context) => {
    const [name, stack] =
      Object.entries(stacksOf(context)).find(([one]) => one.startsWith('DynamicLinksEdgeAlarms-')) ?? [];
    expect(stack?.environment.region).toBe('us-east-1');
    const inStack = resources(context, name ?? '');
    const alarms = JSON.stringify(inStack.filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm'));
    expect(alarms).toMatch(/"MetricName":"5xxErrorRate"/);
    expect(alarms).toMatch(/"MetricName":"4xxErrorRate"/);
    expect(alarms).toMatch(/"Name":"Region","Value":"Global"/);
    const mailed = inStack
      .filter(([, { Type }]) => Type === 'AWS::SNS::Subscription')
      .map(([, { Properties }]) => Properties?.Endpoint);
    expect(mailed).toEqual(context.alarmEmail ? [context.alarmEmail] : []);
  },
);
