import { deployments } from '../../../ops/deployments.ts';
import { resources, stacksOf, type TemplateResource } from '../../support/deployment.ts';
import { faultsOf } from '../../support/service-spec.ts';

const stacks = Object.entries(deployments).flatMap(([name, context]) =>
  Object.keys(stacksOf(context)).map((stack): [string, [string, TemplateResource][]] => [
    `${stack} (${name})`,
    resources(context, stack),
  ]),
);

test.each(stacks)('the properties of %s match the description of AWS', (_, all) => {
  expect(all.flatMap(([id, { Type, Properties = {} }]) => faultsOf(id, Type, Properties))).toEqual([]);
});

test('properties that differ from the description are found', () => {
  const faults = faultsOf('Mapping', 'AWS::Lambda::EventSourceMapping', {
    BatchSize: '10',
    Paralelism: 1,
    FilterCriteria: { Filters: [{ Pattern: 1 }] },
  });
  expect(faults).toEqual([
    'Mapping.Paralelism is no property',
    'Mapping.FunctionName is missing',
    'Mapping.BatchSize should be integer, found "10"',
    'Mapping.FilterCriteria.Filters[0].Pattern should be string, found 1',
  ]);
});

/** The ids that a resource waits for. */
const awaitedBy = (resource: TemplateResource): string[] => {
  const found: string[] = [];
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'Ref') found.push(String(inner));
      else if (name === 'Fn::GetAtt')
        found.push(Array.isArray(inner) ? String(inner[0]) : (String(inner).split('.')[0] ?? ''));
      else if (name === 'Fn::Sub')
        found.push(...[...JSON.stringify(inner).matchAll(/\$\{([\w]+)/g)].map(([, id]) => id ?? ''));
      look(inner);
    }
  };
  look(resource.Properties);
  // The CDK's check of cycles leaves this out, CloudFormation's doesn't.
  look(resource.UpdatePolicy);
  return [...found, ...[resource.DependsOn ?? []].flat()];
};

test.each(stacks)('no resource of %s depends on itself', (_, all) => {
  const awaited = new Map(all.map(([id, resource]) => [id, awaitedBy(resource)]));
  const settled = new Set<string>();
  const circleThrough = (id: string, path: readonly string[]): string | undefined => {
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id].join(' → ');
    if (settled.has(id)) return undefined;
    for (const next of awaited.get(id) ?? []) {
      const circle = circleThrough(next, [...path, id]);
      if (circle) return circle;
    }
    settled.add(id);
    return undefined;
  };
  expect(all.map(([id]) => circleThrough(id, [])).filter(Boolean)).toEqual([]);
});

/** Limits missing from AWS's description: whole numbers by resource type and property. */
const ranges: Readonly<Record<string, Readonly<Record<string, readonly [number, number]>>>> = {
  'AWS::Lambda::Function': { MemorySize: [128, 10_240], Timeout: [1, 900] },
  'AWS::Lambda::EventSourceMapping': {
    BatchSize: [1, 10_000],
    ParallelizationFactor: [1, 10],
    TumblingWindowInSeconds: [0, 900],
    MaximumBatchingWindowInSeconds: [0, 300],
    MaximumRetryAttempts: [-1, 10_000],
    MaximumRecordAgeInSeconds: [-1, 604_800],
  },
  'AWS::ApiGateway::Authorizer': { AuthorizerResultTtlInSeconds: [0, 3600] },
  'AWS::CloudWatch::Alarm': { EvaluationPeriods: [1, 1440] },
};

test.each(stacks)("the numbers of %s are within AWS's limits", (_, all) => {
  const outside = all.flatMap(([id, { Type, Properties = {} }]) =>
    Object.entries(ranges[Type] ?? {})
      .map(([name, [min, max]]) => ({ id, name, value: Properties[name], min, max }))
      .filter(({ value, min, max }) => typeof value === 'number' && (value < min || value > max)),
  );
  expect(outside).toEqual([]);
});

test.each(stacks)('%s stays within the quotas of CloudFormation and its resources', (_, all) => {
  expect(all.length).toBeLessThanOrEqual(500);
  for (const [, { Type, Properties = {} }] of all) {
    const text = JSON.stringify(Properties);
    if (Type === 'AWS::Lambda::Function')
      expect(JSON.stringify(Properties.Environment).length).toBeLessThanOrEqual(4096);
    if (Type === 'AWS::Lambda::EventSourceMapping') {
      const { Filters = [] } = (Properties.FilterCriteria ?? {}) as { Filters?: unknown[] };
      expect(Filters.length).toBeLessThanOrEqual(5);
    }
    if (Type === 'AWS::CloudFront::OriginRequestPolicy') {
      const { Headers = [] } = (
        Properties.OriginRequestPolicyConfig as { HeadersConfig: { Headers?: string[] } }
      ).HeadersConfig;
      expect(Headers.length).toBeLessThanOrEqual(10);
    }
    if (Type === 'AWS::CloudWatch::Alarm') {
      expect((text.match(/"MetricStat"/g) ?? []).length).toBeLessThanOrEqual(10);
    }
    if (Type === 'AWS::CloudFront::Function')
      expect(String(Properties.FunctionCode).length).toBeLessThanOrEqual(10_240);
  }
});
