import type { FunctionResource, PolicyStatement } from './assembly.ts';
import { functionUrlHost, managedPolicyArn, roleArn } from './references.ts';
import type { Resources } from './resources.ts';

/** Finds functions by any name in templates: name, ARN, ARN of a version or alias, host of a function URL. */
export interface FunctionIndex {
  idOf(reference: string, where: string): string;
  /** The function behind a URL, and its stack's region. */
  ofUrlHost(host: string, where: string): { readonly functionId: string; readonly region: string };
}

export function indexFunctions(resources: Resources): FunctionIndex {
  const byName = new Map(
    resources
      .ofType('AWS::Lambda::Function')
      .map(({ id, properties }) => [properties.text('FunctionName', id), id]),
  );
  const idOf = (reference: string, where: string): string => {
    const name = reference.match(/:function:([^:/]+)/)?.[1] ?? reference;
    const id = byName.get(name);
    if (!id) throw new Error(`${where}: ${reference} isn't a function of the template`);
    return id;
  };
  const urls = new Map(resources.ofType('AWS::Lambda::Url').map((url) => [functionUrlHost(url), url]));
  return {
    idOf,
    ofUrlHost: (host, where) => {
      const url = urls.get(host);
      if (!url) throw new Error(`${where}: ${host} isn't a function URL of the template`);
      return { functionId: idOf(url.properties.text('TargetFunctionArn'), url.id), region: url.region };
    },
  };
}

export interface FunctionSources {
  readonly resources: Resources;
  readonly assets: ReadonlyMap<string, string>;
  /** Inserts secrets and local addresses into an environment value. */
  readonly finish: (text: string) => string;
}

export function readFunctions({ resources, assets, finish }: FunctionSources): FunctionResource[] {
  return resources
    .ofType('AWS::Lambda::Function')
    .filter(({ properties }) => isNode(properties.text('Runtime', '')))
    .filter(({ properties }) => properties.in('Code').has('S3Key'))
    .map(({ id, region, properties }) => {
      const key = properties.in('Code').text('S3Key');
      const code = assets.get(key);
      if (!code) throw new Error(`${id}: the assembly holds no asset ${key}`);
      const variables = properties.in('Environment').textMap('Variables');
      return {
        id,
        region,
        code,
        handler: properties.text('Handler'),
        environment: Object.fromEntries(
          Object.entries(variables).map(([name, value]) => [name, finish(value)]),
        ),
        timeoutSeconds: properties.number('Timeout', 3),
        memoryMb: properties.number('MemorySize', 128),
        statements: statementsOf(properties.text('Role'), resources),
      };
    });
}

/**
 * Whether a function can run here. Providers of the CDK's custom resources may use any runtime, because they are never
 * called.
 */
function isNode(runtime: string): boolean {
  return runtime.startsWith('nodejs');
}

function statementsOf(role: string, resources: Resources): PolicyStatement[] {
  const roles = resources.ofType('AWS::IAM::Role').filter((resource) => roleArn(resource) === role);
  const names = new Set(roles.map(({ id, properties }) => properties.text('RoleName', id)));
  const managedArns = new Set(roles.flatMap(({ properties }) => properties.texts('ManagedPolicyArns')));
  const inline = roles.flatMap(({ properties }) => properties.each('Policies'));
  const attached = resources
    .ofType('AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy')
    .filter(
      ({ id, properties }) =>
        properties.texts('Roles').some((name) => names.has(name)) ||
        managedArns.has(managedPolicyArn({ id })),
    )
    .map(({ properties }) => properties);
  return [...inline, ...attached].flatMap((policy) => {
    const { Statement: statements = [] } = policy.in('PolicyDocument').all;
    return (Array.isArray(statements) ? statements : [statements]) as PolicyStatement[];
  });
}
