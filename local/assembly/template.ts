import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Region of stacks without a region of their own. */
export const defaultRegion = 'us-east-1';

interface ResourceOfStack {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Condition?: string;
}

/** Members of a template with the region of their stack. */
type Placed<T> = Readonly<Record<string, T & { readonly region: string }>>;

export type TemplateResource = Placed<ResourceOfStack>[string];

interface OutputOfStack {
  readonly Value: unknown;
  readonly Condition?: string;
  readonly Export?: { readonly Name: unknown };
}

/** The stacks of an assembly as one template, with intrinsics still in place. */
export interface Template {
  readonly resources: Placed<ResourceOfStack>;
  readonly outputs: Placed<OutputOfStack>;
  readonly conditions: Readonly<Record<string, unknown>>;
  readonly parameters: Readonly<Record<string, { readonly Default?: unknown }>>;
  readonly mappings: Readonly<Record<string, Record<string, Record<string, unknown>>>>;
  /** Asset folder or file by its S3 key. */
  readonly assets: ReadonlyMap<string, string>;
}

interface Manifest {
  readonly artifacts?: Readonly<Record<string, Artifact>>;
}

interface Artifact {
  readonly type: string;
  /** Such as `aws://unknown-account/eu-west-1`. */
  readonly environment?: string;
  readonly properties?: { readonly templateFile?: string; readonly file?: string };
}

interface StackFile {
  readonly Resources?: Readonly<Record<string, ResourceOfStack>>;
  readonly Outputs?: Readonly<Record<string, OutputOfStack>>;
  readonly Conditions?: Template['conditions'];
  readonly Parameters?: Template['parameters'];
  readonly Mappings?: Template['mappings'];
}

interface AssetManifest {
  readonly files?: Readonly<
    Record<
      string,
      {
        readonly source: { readonly path?: string };
        readonly destinations: Readonly<Record<string, { readonly objectKey: string }>>;
      }
    >
  >;
}

/** Reads every stack of the assembly. Throws if two stacks use one logical id differently. */
export function readTemplate(directory: string): Template {
  const manifest = readJson<Manifest>(join(directory, 'manifest.json'));
  const artifacts = Object.values(manifest.artifacts ?? {});
  const stacks = artifacts
    .filter(({ type }) => type === 'aws:cloudformation:stack')
    .map(({ properties, environment }) => ({
      ...readJson<StackFile>(join(directory, properties?.templateFile ?? '')),
      region: regionOf(environment),
    }))
    .filter(({ Resources }) => Object.keys(Resources ?? {}).length > 0);
  if (stacks.length === 0) throw new Error(`${directory} holds no stack with resources`);
  const assets = artifacts
    .filter(({ type }) => type === 'cdk:asset-manifest')
    .flatMap(({ properties }) => assetsOf(directory, properties?.file ?? ''));
  return {
    resources: merge(stacks.map(({ Resources, region }) => placed(Resources, region))),
    outputs: merge(stacks.map(({ Outputs, region }) => placed(Outputs, region))),
    conditions: Object.assign({}, ...stacks.map(({ Conditions }) => Conditions)),
    parameters: Object.assign({}, ...stacks.map(({ Parameters }) => Parameters)),
    mappings: Object.assign({}, ...stacks.map(({ Mappings }) => Mappings)),
    assets: new Map(assets),
  };
}

function regionOf(environment = ''): string {
  const region = environment.split('/').at(-1) ?? '';
  return region === '' || region === 'unknown-region' ? defaultRegion : region;
}

function placed<T extends object>(members: Readonly<Record<string, T>> = {}, region: string): Placed<T> {
  return Object.fromEntries(Object.entries(members).map(([id, member]) => [id, { ...member, region }]));
}

/** Logical ids of resources that need an address before the rest can be resolved. */
export function addressedResources(template: Template) {
  const ofType = (type: string) =>
    Object.entries(template.resources)
      .filter(([, resource]) => resource.Type === type && !servesTenantsAlone(resource))
      .map(([id]) => id);
  return {
    apis: ofType('AWS::ApiGateway::RestApi').filter((id) => !hasOnlyFixedResponses(template, id)),
    distributions: ofType('AWS::CloudFront::Distribution'),
  };
}

/** Whether an API has only fixed responses: distributions use it for error pages. */
function hasOnlyFixedResponses({ resources }: Template, api: string): boolean {
  const types = Object.values(resources)
    .filter(({ Type }) => Type === 'AWS::ApiGateway::Method')
    .map(
      ({ Properties = {} }) =>
        Properties as { RestApiId?: { Ref?: string }; Integration?: { Type?: string } },
    )
    .filter(({ RestApiId }) => RestApiId?.Ref === api)
    .map(({ Integration }) => Integration?.Type);
  return types.length > 0 && types.every((type) => type === 'MOCK');
}

/** Whether viewers reach a distribution only at its tenants' hosts. */
function servesTenantsAlone({ Properties = {} }: ResourceOfStack): boolean {
  const { DistributionConfig: config } = Properties as { DistributionConfig?: { ConnectionMode?: unknown } };
  return config?.ConnectionMode === 'tenant-only';
}

function assetsOf(directory: string, file: string): [string, string][] {
  const { files } = readJson<AssetManifest>(join(directory, file));
  return Object.values(files ?? {}).flatMap(({ source, destinations }) =>
    Object.values(destinations).map(({ objectKey }): [string, string] => [
      objectKey,
      join(directory, source.path ?? ''),
    ]),
  );
}

/** Resources that nothing here reads, so stacks may use one logical id differently for them. */
const isUnread = (value: object) =>
  'Type' in value && /^AWS::(?:CloudWatch|Logs|SNS)::/.test(String(value.Type));

function merge<T extends object>(
  parts: readonly (Readonly<Record<string, T>> | undefined)[],
): Record<string, T> {
  const whole: Record<string, T> = {};
  for (const part of parts) {
    for (const [id, value] of Object.entries(part ?? {})) {
      const known = whole[id];
      if (known && textOf(known) !== textOf(value)) {
        if (isUnread(value) && isUnread(known)) continue;
        throw new Error(`two stacks of the assembly use the logical id ${id}`);
      }
      whole[id] = value;
    }
  }
  return whole;
}

/** Equal resources of stacks in different regions are one here. */
const textOf = (value: unknown) =>
  JSON.stringify(value, (key, member) => (key === 'region' ? undefined : member));

function readJson<T>(file: string): T {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch (error) {
    throw new Error(
      `can't read the assembly file ${file}: ${error instanceof Error ? error.message : error}`,
    );
  }
}
