import { Duration, RemovalPolicy, Size, type Stack } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import type * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Contract } from '../core/api/endpoint.ts';
import { api, apiVersion, served } from '../core/api/index.ts';
import { apiRoutesOf, methodsByPath } from '../core/api/routes.ts';
import { apiKeyShape } from '../core/api-keys/api-key.ts';
import { memberUses } from '../core/functions.ts';
import { memberKeyShape } from '../core/members/member.ts';
import { addApiDomain } from './api-domain.ts';
import { addApiFirewall, protect } from './api-firewall.ts';
import type { Config } from './config.ts';
import { addConstant, preflight, wrongMethod } from './constant-responses.ts';
import { ServiceFunction } from './function.ts';
import { endpointRow, rowOf } from './functions.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { methodRates } from './method-rates.ts';
import { addReference } from './reference.ts';
import { logGroup } from './retained.ts';
import type { FunctionSettings } from './service.ts';
import { addSignIn, signInRedirect } from './sign-in.ts';
import { apiNameOf } from './stack-names.ts';
import { addUsagePlan } from './usage-plan.ts';

export type ServiceApi = ReturnType<typeof addApi>;

/** The public API, with a route, a function and its grants for every contract. */
export const addApi = (stack: Stack, service: FunctionSettings) => {
  const scope = new Construct(stack, 'Api');
  const { config } = service;
  const accessLog = logGroup(scope, 'AccessLog', config);
  const name = apiNameOf(stack.stackName, config);
  const rest = restApi(scope, name, accessLog, config);
  addGatewayResponses(rest, config.rateLimitPerHour);
  const planKeys = addUsagePlan(scope, rest, config);
  const row = rowOf('authorize');
  const uses = [...row.uses, ...(config.signIn ? memberUses : [])];
  const authorize = new ServiceFunction(scope, { ...row, uses }, { ...service, planKeys });
  const authorizer = new apigateway.TokenAuthorizer(scope, 'Authorizer', {
    handler: authorize.live,
    identitySource: apigateway.IdentitySource.header('X-API-KEY'),
    // The gateway rejects invalid keys itself, which costs nothing.
    validationRegex: config.signIn ? `${apiKeyShape.source}|${memberKeyShape.source}` : apiKeyShape.source,
    // A revoked key is still rejected at once, by its rate window.
    resultsCacheTtl: Duration.seconds(60),
  });
  const operations = [...served].map(
    ([operation, contracts]) =>
      [operation, new ServiceFunction(scope, endpointRow(operation, contracts), service)] as const,
  );
  const version = rest.root.addResource(apiVersion);
  addRoutes(version, authorizer, operations);
  const reference = addReference(scope, version, service);
  // Every path accepts all methods, so that 405 responses list the right ones. They need no key and use no quota.
  for (const [path, methods] of methodsByPath(api)) {
    const resource = version.resourceForPath(path.slice(1));
    if (methods.includes('OPTIONS')) addConstant(resource, 'OPTIONS', preflight);
    addConstant(resource, 'ANY', wrongMethod(methods, config.rateLimitPerHour));
  }
  const redirect = signInRedirect(rest, config);
  const signIn = config.signIn ? addSignIn(scope, rest, redirect, service) : undefined;
  const firewall = config.apiFirewall ? addApiFirewall(scope, rest.deploymentStage, config) : undefined;
  if (config.apiWebAclArn) protect(scope, rest.deploymentStage, config.apiWebAclArn);
  if (config.api) addApiDomain(scope, rest, config.api);
  return {
    rest,
    name,
    stageName: config.stage,
    accessLog,
    /** The service's address without the version segment. */
    baseUrl: config.api ? `https://${config.api.name}` : rest.url.replace(/\/$/, ''),
    authorize,
    signIn,
    firewall,
    /** All functions except the authorizer. */
    functions: [...operations.map(([, made]) => made), reference, ...(signIn ? [signIn] : [])],
  };
};

const addRoutes = (
  version: apigateway.IResource,
  authorizer: apigateway.IAuthorizer,
  operations: readonly (readonly [string, ServiceFunction])[],
): void => {
  const integrations = new Map(operations.map(([operation, made]) => [operation, made.integration()]));
  for (const { method, path, operation } of apiRoutesOf(api)) {
    const { servedBy = operation }: Contract = api[operation as keyof typeof api];
    version.resourceForPath(path.slice(1)).addMethod(method, integrations.get(servedBy), {
      authorizer,
      apiKeyRequired: true,
    });
  }
};

const restApi = (
  scope: Construct,
  restApiName: string,
  accessLog: logs.LogGroup,
  config: Config,
): apigateway.RestApi => {
  const rest = new apigateway.RestApi(scope, 'Rest', {
    restApiName,
    // The authorizer finds the key's owner and returns a usage plan's key.
    apiKeySourceType: apigateway.ApiKeySourceType.AUTHORIZER,
    endpointTypes: [apigateway.EndpointType.REGIONAL],
    // The account-wide role for API Gateway's logs. It outlives the stack, because other APIs use it.
    cloudWatchRole: true,
    cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
    deployOptions: {
      stageName: config.stage,
      tracingEnabled: true,
      accessLogDestination: new apigateway.LogGroupLogDestination(accessLog),
      // Keys and callers' addresses aren't logged.
      accessLogFormat: apigateway.AccessLogFormat.custom(
        JSON.stringify({
          requestId: apigateway.AccessLogField.contextRequestId(),
          time: apigateway.AccessLogField.contextRequestTime(),
          method: apigateway.AccessLogField.contextHttpMethod(),
          resource: apigateway.AccessLogField.contextResourcePath(),
          status: apigateway.AccessLogField.contextStatus(),
          error: apigateway.AccessLogField.contextErrorResponseType(),
          latencyMs: apigateway.AccessLogField.contextResponseLatency(),
          project: apigateway.AccessLogField.contextAuthorizer('project'),
          keyId: apigateway.AccessLogField.contextAuthorizer('keyId'),
        }),
      ),
    },
    ...(config.api && { disableExecuteApiEndpoint: true }),
    // Compression shrinks the reference page to a fifth; small responses aren't worth the time.
    minCompressionSize: Size.kibibytes(2),
  });
  const stage = rest.deploymentStage.node.defaultChild as apigateway.CfnStage;
  stage.methodSettings = methodRates(config);
  // The address at execute-api would otherwise accept TLS 1.0.
  const resource = rest.node.defaultChild as apigateway.CfnRestApi;
  resource.securityPolicy = apigateway.SecurityPolicy.TLS13_1_2_PQ_2025_09;
  resource.endpointAccessMode = 'BASIC';
  return rest;
};
