import { templateContexts } from '../../../bin/template-contexts.ts';
import { ConfigError } from '../../../lib/config-error.ts';
import { resources, stacksOf, synthesize, type TemplateResource } from '../../support/deployment.ts';
import { testAtNight } from '../../support/nightly.ts';
import { faultsOf } from '../../support/service-spec.ts';

const stacks = Object.entries(templateContexts).flatMap(([name, context]) =>
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

/** Everything that a resource waits for, however long the way. */
const allAwaitedBy = (id: string, all: ReadonlyMap<string, TemplateResource>, found = new Set<string>()) => {
  for (const next of awaitedBy(all.get(id) ?? { Type: '' }))
    if (all.has(next) && !found.has(next)) {
      found.add(next);
      allAwaitedBy(next, all, found);
    }
  return found;
};

/*
 * Resources deleted at an update's end, such as plan keys, must outlive the minute for which the gateway caches the
 * former authorizer's answer. In prod the functions of calls take five minutes after it; in dev the distribution
 * takes minutes, where it changes.
 */
test('the functions of calls are updated after the authorizer, or after the distribution', () => {
  const aliasesOf = (all: [string, TemplateResource][]) =>
    all.filter(([, { Type }]) => Type === 'AWS::Lambda::Alias').map(([id]) => id);
  const prod = resources(templateContexts.prod ?? {}, 'DynamicLinks-prod');
  const ofAuthorizer = aliasesOf(prod).find((id) => id.startsWith('ApiAuthorize')) ?? '';
  const others = aliasesOf(prod).filter((id) => id.startsWith('Api') && id !== ofAuthorizer);
  expect(others.length).toBeGreaterThan(10);
  for (const id of others) expect([...allAwaitedBy(id, new Map(prod))]).toContain(ofAuthorizer);

  const dev = new Map(resources({}, 'DynamicLinks-dev'));
  const [distribution = ''] = [...dev].find(([, { Type }]) => Type === 'AWS::CloudFront::Distribution') ?? [];
  expect([...allAwaitedBy(distribution, dev)].filter((id) => id.startsWith('Api'))).toEqual([]);
  const createLink = [...dev.keys()].find((id) => id.startsWith('ApiCreateLinkFunction')) ?? '';
  expect([...allAwaitedBy(createLink, dev)]).toContain(distribution);
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

test.each(stacks)(
  '%s has only letters that CloudFormation gives back, so that a diff shows only changes',
  (_, all) => {
    expect(JSON.stringify(all)).not.toMatch(/[^ -~]/);
  },
);

describe('a stack, which may have 500 resources in CloudFormation,', () => {
  const nearlyAll = templateContexts['prod on own domains'] ?? {};
  const withAliases = (count: number) => ({
    ...nearlyAll,
    shortAliases: Array.from({ length: count }, (_, i) => `h${i}.example.com`).join(','),
  });
  const sizeWith = (count: number) => resources(withAliases(count), 'DynamicLinks-prod').length;
  const has = resources(nearlyAll, 'DynamicLinks-prod').length;
  const most = 2 + Math.floor((495 - has) / 2);

  test('leaves room in the largest deployment, for more endpoints than there are', () => {
    const later = resources(nearlyAll, 'DynamicLinks-prod').filter(([id]) =>
      /Patch|SignIn|console|qrstyle|Cop(ying|yLate|yErrors)/i.test(id),
    );
    expect(has - later.length).toBeLessThanOrEqual(430);
    expect(has).toBeLessThanOrEqual(456);
  });

  test('may have as many hosts as fit, and is refused with one more, in one line', () => {
    expect(sizeWith(most)).toBeGreaterThan(493);
    const refused = () => synthesize(withAliases(most + 1));
    expect(refused).toThrow(ConfigError);
    expect(refused).toThrow(/^these choices make 49[67] resources, .*ownHosts=tenants[^\n]*$/);
  });

  testAtNight('is refused for its resources, and not for the number of its hosts', () => {
    expect(() => synthesize({ ...withAliases(most + 3), ownHosts: 'aliases' })).not.toThrow();
    expect(() => synthesize({ ...withAliases(most + 24), stage: 'dev' })).not.toThrow();
  });
});
