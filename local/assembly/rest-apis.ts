import type { ApiMethod, Authorizer, GatewayApiKey, GatewayResponse, RestApi } from './assembly.ts';
import type { FunctionIndex } from './functions.ts';
import { readMockIntegration } from './mock-integrations.ts';
import { apiId, rootResourceId } from './references.ts';
import type { Resource } from './resource.ts';
import type { Resources } from './resources.ts';
import { randomText, type Secrets } from './secrets.ts';

export interface ApiSources {
  readonly resources: Resources;
  readonly functions: FunctionIndex;
  /** `host:port`, by logical id, of the APIs that have an address. */
  readonly authorities: Readonly<Record<string, string>>;
  readonly secrets: Secrets;
  readonly finish: (text: string) => string;
}

export function readRestApis(sources: ApiSources): RestApi[] {
  return sources.resources
    .ofType('AWS::ApiGateway::RestApi')
    .filter(({ id }) => id in sources.authorities)
    .map((api) => readRestApi(api, sources));
}

function readRestApi(api: Resource, sources: ApiSources): RestApi {
  const { resources, functions } = sources;
  const ownedBy = (type: string) =>
    resources.ofType(type).filter(({ properties }) => properties.text('RestApiId', '') === apiId(api));
  const [stage] = ownedBy('AWS::ApiGateway::Stage');
  if (!stage) throw new Error(`${api.id}: the API has no stage`);
  const pathOf = resourcePaths(api.id, ownedBy('AWS::ApiGateway::Resource'));
  const authorizers = ownedBy('AWS::ApiGateway::Authorizer').map((one) => readAuthorizer(one, functions));
  return {
    id: api.id,
    stageName: stage.properties.text('StageName'),
    apiKeySource:
      api.properties.text('ApiKeySourceType', 'HEADER') === 'AUTHORIZER' ? 'AUTHORIZER' : 'HEADER',
    binaryMediaTypes: api.properties.texts('BinaryMediaTypes'),
    methods: ownedBy('AWS::ApiGateway::Method').map((method) => readMethod(method, pathOf, functions)),
    authorizers,
    gatewayResponses: Object.fromEntries(
      ownedBy('AWS::ApiGateway::GatewayResponse').map((response) => [
        response.properties.text('ResponseType'),
        readGatewayResponse(response),
      ]),
    ),
    planKeys: readPlanKeys(apiId(api), stage.properties.text('StageName'), sources),
  };
}

function resourcePaths(api: string, nodes: readonly Resource[]): (id: string, where: string) => string {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const pathOf = (id: string, where: string): string => {
    if (id === rootResourceId(api)) return '';
    const node = byId.get(id);
    if (!node) throw new Error(`${where}: ${id} isn't a resource of ${api}`);
    return `${pathOf(node.properties.text('ParentId'), node.id)}/${node.properties.text('PathPart')}`;
  };
  return (id, where) => pathOf(id, where) || '/';
}

function readMethod(
  { id, properties }: Resource,
  pathOf: (id: string, where: string) => string,
  functions: FunctionIndex,
): ApiMethod {
  const integration = properties.in('Integration');
  const type = integration.text('Type', '');
  if (type !== 'AWS_PROXY' && type !== 'MOCK')
    throw new Error(`${id}: integration ${type || 'without a type'} isn't emulated`);
  const authorization = properties.text('AuthorizationType', 'NONE');
  if (authorization !== 'NONE' && authorization !== 'CUSTOM') {
    throw new Error(`${id}: authorization ${authorization} isn't emulated`);
  }
  return {
    httpMethod: properties.text('HttpMethod'),
    path: pathOf(properties.text('ResourceId'), id),
    integration:
      type === 'MOCK' ? readMockIntegration(properties, id) : functions.idOf(integration.text('Uri'), id),
    ...(authorization === 'CUSTOM' && { authorizerId: properties.text('AuthorizerId') }),
    apiKeyRequired: properties.flag('ApiKeyRequired'),
  };
}

function readAuthorizer({ id, properties }: Resource, functions: FunctionIndex): Authorizer {
  const type = properties.text('Type');
  if (type !== 'REQUEST' && type !== 'TOKEN')
    throw new Error(`${id}: authorizer type ${type} isn't emulated`);
  const sources = properties.text('IdentitySource', '');
  return {
    id,
    type,
    functionId: functions.idOf(properties.text('AuthorizerUri'), id),
    identitySources: sources
      .split(',')
      .map((source) => source.trim())
      .filter(Boolean),
    ttlSeconds: properties.number('AuthorizerResultTtlInSeconds', 300),
    ...(properties.has('IdentityValidationExpression') && {
      validation: properties.text('IdentityValidationExpression'),
    }),
  };
}

const headerPrefix = 'gatewayresponse.header.';

function readGatewayResponse({ properties }: Resource): GatewayResponse {
  const parameters = Object.entries(properties.textMap('ResponseParameters'));
  return {
    ...(properties.has('StatusCode') && { statusCode: properties.number('StatusCode', 0) }),
    headers: Object.fromEntries(
      parameters
        .filter(([name]) => name.startsWith(headerPrefix))
        .map(([name, value]) => [name.slice(headerPrefix.length), value]),
    ),
    templates: properties.textMap('ResponseTemplates'),
  };
}

function readPlanKeys(
  api: string,
  stage: string,
  { resources, secrets, finish }: ApiSources,
): GatewayApiKey[] {
  const plans = new Set(
    resources
      .ofType('AWS::ApiGateway::UsagePlan')
      .filter(({ properties }) =>
        properties
          .each('ApiStages')
          .some((one) => one.text('ApiId', '') === api && one.text('Stage', '') === stage),
      )
      .map(({ id }) => id),
  );
  return resources
    .ofType('AWS::ApiGateway::UsagePlanKey')
    .filter(({ properties }) => plans.has(properties.text('UsagePlanId')))
    .map(({ id, properties }) => {
      const key = resources.find(properties.text('KeyId'));
      if (!key) throw new Error(`${id}: ${properties.text('KeyId')} isn't an API key of the template`);
      const value = key.properties.text('Value', undefined);
      return { id: key.id, value: value ? finish(value) : secrets(key.id, () => randomText(40)) };
    });
}
