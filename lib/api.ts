import { Duration, RemovalPolicy, Size } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Contract } from '../core/api/endpoint.ts';
import { api, apiVersion, served } from '../core/api/index.ts';
import { methodsByPath, routesOf } from '../core/api/routes.ts';
import { memberUses } from '../core/functions.ts';
import { apiKeyShape } from '../core/keys/api-key.ts';
import { memberKeyShape } from '../core/members/member.ts';
import { addApiDomain } from './api-domain.ts';
import { addApiFirewall } from './api-firewall.ts';
import type { Config } from './config.ts';
import type { Firewall } from './firewall.ts';
import { ServiceFunction } from './function.ts';
import { endpointRow, rowOf } from './functions.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { methodRates } from './method-rates.ts';
import { Reference } from './reference.ts';
import type { Service } from './service.ts';
import { SignIn, signInRedirect } from './sign-in.ts';
import { addUsagePlan } from './usage-plan.ts';

/** The public API: a route, a Lambda and its grants for every contract. */
export class ServiceApi extends Construct {
  readonly rest: apigateway.RestApi;
  readonly name: string;
  readonly stageName: string;
  readonly accessLog: logs.LogGroup;
  /** The service address, without the version segment. */
  readonly baseUrl: string;
  readonly authorize: ServiceFunction;
  /** The function of each operation. */
  readonly operations: Readonly<Record<string, ServiceFunction>>;

  /** What describes the API to people and programs. */
  readonly reference: Reference;
  /** Responds with 405 to methods that a path doesn't have. */
  readonly wrongMethod: ServiceFunction;
  readonly firewall?: Firewall;
  readonly signIn?: SignIn;

  constructor(scope: Construct, id: string, service: Service) {
    super(scope, id);
    const { config } = service;
    this.name = `dynamic-links-${config.stage}`;
    this.stageName = config.stage;
    this.accessLog = new logs.LogGroup(this, 'AccessLog', {
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.rest = this.restApi(config);
    addGatewayResponses(this.rest, config.rateLimitPerHour);
    const planKeys = addUsagePlan(this, this.rest, config);
    const authorize = rowOf('authorize');
    const uses = [...authorize.uses, ...(config.signIn ? memberUses : [])];
    this.authorize = new ServiceFunction(this, { ...authorize, uses }, { ...service, planKeys });
    const authorizer = new apigateway.TokenAuthorizer(this, 'Authorizer', {
      handler: this.authorize.live,
      identitySource: apigateway.IdentitySource.header('X-API-KEY'),
      // What can't be a key is refused by the gateway, which costs nothing.
      validationRegex: config.signIn ? `${apiKeyShape.source}|${memberKeyShape.source}` : apiKeyShape.source,
      // A revoked key is still refused at once, by its rate window.
      resultsCacheTtl: Duration.seconds(60),
    });
    this.operations = Object.fromEntries(
      [...served].map(([operation, contracts]) => [
        operation,
        new ServiceFunction(this, endpointRow(operation, contracts), service),
      ]),
    );
    const version = this.addRoutes(authorizer);
    this.reference = new Reference(this, 'Reference', version, service);
    this.wrongMethod = new ServiceFunction(this, rowOf('wrong-method'), service);
    this.refuseOtherMethods(version);
    const redirect = signInRedirect(this.rest, config);
    if (config.signIn) this.signIn = new SignIn(this, 'SignIn', { rest: this.rest, service, redirect });
    if (config.waf) this.firewall = addApiFirewall(this, this.rest.deploymentStage, config);
    if (config.api) addApiDomain(this, this.rest, config.api);
    this.baseUrl = config.api ? `https://${config.api.name}` : this.rest.url.replace(/\/$/, '');
  }

  /** Every path takes all methods, so that a wrong one is told the right ones. That needs no key and uses no quota. */
  private refuseOtherMethods(version: apigateway.IResource): void {
    const { live } = this.wrongMethod;
    const integration = new apigateway.LambdaIntegration(live, { scopePermissionToMethod: false });
    for (const path of methodsByPath(api).keys())
      version.resourceForPath(path.slice(1)).addMethod('ANY', integration, {
        authorizationType: apigateway.AuthorizationType.NONE,
      });
  }

  private addRoutes(authorizer: apigateway.IAuthorizer): apigateway.IResource {
    const integrations = Object.fromEntries(
      Object.entries(this.operations).map(([operation, { live }]) => [
        operation,
        new apigateway.LambdaIntegration(live, { scopePermissionToMethod: false }),
      ]),
    );
    const version = this.rest.root.addResource(apiVersion);
    for (const { method, path, operation } of routesOf(api)) {
      const { servedBy = operation }: Contract = api[operation as keyof typeof api];
      version.resourceForPath(path.slice(1)).addMethod(method, integrations[servedBy], {
        authorizer,
        apiKeyRequired: true,
      });
    }
    return version;
  }

  private restApi(config: Config): apigateway.RestApi {
    const rest = new apigateway.RestApi(this, 'Rest', {
      restApiName: this.name,
      // The authorizer finds the key's owner and returns a usage plan's key.
      apiKeySourceType: apigateway.ApiKeySourceType.AUTHORIZER,
      endpointTypes: [apigateway.EndpointType.REGIONAL],
      // The account's one setting that lets API Gateway write logs; it outlives the stack, for others rely on it.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        stageName: this.stageName,
        tracingEnabled: true,
        accessLogDestination: new apigateway.LogGroupLogDestination(this.accessLog),
        // Neither the key nor the caller's address is logged.
        accessLogFormat: apigateway.AccessLogFormat.custom(
          JSON.stringify({
            requestId: apigateway.AccessLogField.contextRequestId(),
            time: apigateway.AccessLogField.contextRequestTime(),
            method: apigateway.AccessLogField.contextHttpMethod(),
            resource: apigateway.AccessLogField.contextResourcePath(),
            status: apigateway.AccessLogField.contextStatus(),
            latencyMs: apigateway.AccessLogField.contextResponseLatency(),
            project: apigateway.AccessLogField.contextAuthorizer('project'),
            keyId: apigateway.AccessLogField.contextAuthorizer('keyId'),
          }),
        ),
      },
      ...(config.api && { disableExecuteApiEndpoint: true }),
      // The reference page's assets are a fifth of their size then; small answers are not worth the time.
      minCompressionSize: Size.kibibytes(2),
    });
    const stage = rest.deploymentStage.node.defaultChild as apigateway.CfnStage;
    stage.methodSettings = methodRates(config);
    // The address at execute-api, which would else speak TLS 1.0 as well.
    const resource = rest.node.defaultChild as apigateway.CfnRestApi;
    resource.securityPolicy = apigateway.SecurityPolicy.TLS13_1_2_PQ_2025_09;
    resource.endpointAccessMode = 'BASIC';
    return rest;
  }
}
