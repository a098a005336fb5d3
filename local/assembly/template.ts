import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Condition?: string;
}

interface TemplateOutput {
  readonly Value: unknown;
  readonly Condition?: string;
  readonly Export?: { readonly Name: unknown };
}

/** The stacks of an assembly as one template, with intrinsics still in place. */
export interface Template {
  readonly resources: Readonly<Record<string, TemplateResource>>;
  readonly outputs: Readonly<Record<string, TemplateOutput>>;
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
  readonly properties?: { readonly templateFile?: string; readonly file?: string };
}

interface StackFile {
  readonly Resources?: Template['resources'];
  readonly Outputs?: Template['outputs'];
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
    .map(({ properties }) => readJson<StackFile>(join(directory, properties?.templateFile ?? '')))
    .filter(({ Resources }) => Object.keys(Resources ?? {}).length > 0);
  if (stacks.length === 0) throw new Error(`${directory} holds no stack with resources`);
  const assets = artifacts
    .filter(({ type }) => type === 'cdk:asset-manifest')
    .flatMap(({ properties }) => assetsOf(directory, properties?.file ?? ''));
  return {
    resources: merge(stacks.map(({ Resources }) => Resources)),
    outputs: merge(stacks.map(({ Outputs }) => Outputs)),
    conditions: Object.assign({}, ...stacks.map(({ Conditions }) => Conditions)),
    parameters: Object.assign({}, ...stacks.map(({ Parameters }) => Parameters)),
    mappings: Object.assign({}, ...stacks.map(({ Mappings }) => Mappings)),
    assets: new Map(assets),
  };
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
function servesTenantsAlone({ Properties = {} }: TemplateResource): boolean {
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

function merge<T>(parts: readonly (Readonly<Record<string, T>> | undefined)[]): Record<string, T> {
  const whole: Record<string, T> = {};
  for (const part of parts) {
    for (const [id, value] of Object.entries(part ?? {})) {
      if (id in whole && JSON.stringify(whole[id]) !== JSON.stringify(value)) {
        throw new Error(`two stacks of the assembly use the logical id ${id}`);
      }
      whole[id] = value;
    }
  }
  return whole;
}

function readJson<T>(file: string): T {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch (error) {
    throw new Error(
      `can't read the assembly file ${file}: ${error instanceof Error ? error.message : error}`,
    );
  }
}
