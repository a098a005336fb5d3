export interface SynthesizedResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** Something that AWS documents and the emulator lacks. */
export interface Gap {
  readonly lacks: string;
  /** Replaces an affected resource in the emulator. */
  readonly instead?: (resource: SynthesizedResource) => SynthesizedResource;
  /** Smoke checks that fail because of the gap, and a part of their messages. */
  readonly fails?: readonly { readonly check: string; readonly saying: RegExp }[];
}

const changed = (resource: SynthesizedResource, type: string, properties: object): SynthesizedResource =>
  resource.Type === type ? { ...resource, Properties: { ...resource.Properties, ...properties } } : resource;

interface Metric {
  readonly MetricStat?: { readonly Metric: object; readonly Period: number };
}

/** The first metric of an alarm's expression, as a plain alarm has it. */
const ofOneMetric = (resource: SynthesizedResource): SynthesizedResource => {
  const { Metrics, ...rest } = resource.Properties ?? {};
  if (resource.Type !== 'AWS::CloudWatch::Alarm' || !Array.isArray(Metrics)) return resource;
  const measured = (Metrics as readonly Metric[]).find(({ MetricStat }) => MetricStat)?.MetricStat;
  return {
    ...resource,
    Properties: { ...rest, ...measured?.Metric, Period: measured?.Period, Statistic: 'Sum' },
  };
};

/**
 * Features that ministack 1.5.33 lacks. Only this list changes the template before deployment, and only these checks
 * may fail afterwards.
 */
export const gaps: readonly Gap[] = [
  {
    lacks: 'alarms on expressions ("metric math is not supported"); they watch only their first metric',
    instead: ofOneMetric,
  },
  {
    lacks: 'API keys that an authorizer returns (ApiKeySourceType AUTHORIZER); methods need no plan key',
    instead: (resource) => changed(resource, 'AWS::ApiGateway::Method', { ApiKeyRequired: false }),
  },
  {
    lacks: "the signature of CloudFront's origin access control; function URLs take unsigned requests",
    instead: (resource) => changed(resource, 'AWS::Lambda::Url', { AuthType: 'NONE' }),
  },
  {
    lacks: 'tumbling windows of stream consumers; the aggregation refuses to count without one',
    fails: [
      { check: "each click counts once, and excluded visits don't", saying: /after \d+ s still/ },
      { check: "apps get a link's content, and their opens are counted", saying: /"opens":0/ },
    ],
  },
  {
    lacks: 'path parameters as they were sent (it decodes them)',
    fails: [{ check: 'encoded paths are decoded', saying: /answered 200|NOT_FOUND/ }],
  },
  {
    lacks: "a record of what alarms' actions did; it publishes them without a look at the topic's policy",
    fails: [{ check: 'an alarm of the service reaches its topic', saying: /still without any action/ }],
  },
  {
    lacks: "CloudFront's metrics",
    fails: [{ check: "CloudFront's requests have metrics", saying: /no data/ }],
  },
];

/** The template in a form that the emulator accepts. */
export const reduced = <
  Template extends { readonly Resources: Readonly<Record<string, SynthesizedResource>> },
>(
  template: Template,
): Template => ({
  ...template,
  Resources: Object.fromEntries(
    Object.entries(template.Resources).map(([id, resource]) => [
      id,
      gaps.reduce((made, { instead }) => instead?.(made) ?? made, resource),
    ]),
  ),
});

export interface SmokeLine {
  readonly name: string;
  readonly result: string;
  readonly detail: string;
}

/** Unlisted failures of a smoke run, and listed ones that didn't occur. */
export const surprises = (outcomes: readonly SmokeLine[]): string[] => {
  const expected = gaps.flatMap(({ fails }) => fails ?? []);
  const unforeseen = outcomes
    .filter(({ result }) => result === 'failed')
    .filter(
      ({ name, detail }) => !expected.some(({ check, saying }) => check === name && saying.test(detail)),
    )
    .map(({ name, detail }) => `${name}: ${detail}`);
  const closed = expected
    .filter(({ check }) => outcomes.every(({ name, result }) => name !== check || result === 'ok'))
    .map(({ check }) => `'${check}' does not fail any more: take it off the list`);
  return [...unforeseen, ...closed];
};
