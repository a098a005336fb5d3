import { CfnOutput, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as acm from 'aws-cdk-lib/aws-certificatemanager';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as route53 from 'aws-cdk-lib/aws-route53';
import * as targets from 'aws-cdk-lib/aws-route53-targets';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { operationsOf } from '../core/api/endpoint.ts';
import { api, apiVersion, entryName } from '../core/api/index.ts';
import { routesOf } from '../core/api/routes.ts';
import { functions } from '../core/functions.ts';
import { type Config, type Domain, figuresEnvironment } from './config.ts';
import { Firewall } from './firewall.ts';
import { ServiceFunction } from './function.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { Reference } from './reference.ts';
import type { ServiceTable } from './table.ts';

export interface ServiceApiProps {
  readonly table: ServiceTable;
  readonly config: Config;
  /** Where short URLs start, such as `https://go.example.com`. */
  readonly shortBase: string;
}

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

  constructor(scope: Construct, id: string, { table, config, shortBase }: ServiceApiProps) {
    super(scope, id);
    this.name = `dynamic-links-${config.stage}`;
    this.stageName = config.stage;
    this.accessLog = new logs.LogGroup(this, 'AccessLog', {
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.rest = this.restApi(config);
    addGatewayResponses(this.rest, config.rateLimitPerHour);
    const usagePlanKey = this.usagePlanKey();
    this.authorize = this.authorizerFunction(table, config, usagePlanKey);
    const authorizer = new apigateway.RequestAuthorizer(this, 'Authorizer', {
      handler: this.authorize.live,
      identitySources: [apigateway.IdentitySource.header('X-API-KEY')],
      // A revoked key is refused at once all the same, by its rate window.
      resultsCacheTtl: Duration.seconds(60),
    });
    this.operations = this.operationFunctions(table, config, shortBase);
    this.reference = new Reference(this, 'Reference', { version: this.addRoutes(authorizer), config });
    if (config.waf) this.addFirewall(config);
    if (config.api) this.addDomain(config.api);
    this.baseUrl = config.api ? `https://${config.api.name}` : this.rest.url.replace(/\/$/, '');
    this.acknowledge(config);
  }

  private operationFunctions(table: ServiceTable, config: Config, shortBase: string) {
    const environment = {
      TABLE_NAME: table.table.tableName,
      SHORT_BASE: shortBase,
      RATE_LIMIT_PER_HOUR: String(config.rateLimitPerHour),
      ...figuresEnvironment(config),
    };
    return Object.fromEntries(
      Object.entries(api).map(([operation, contract]) => {
        const made = new ServiceFunction(this, pascalCase(operation), {
          entry: `api/${entryName(operation)}`,
          description: `${contract.method} ${contract.path}: ${contract.summary}`,
          config,
          environment,
          traced: true,
          released: config.stage === 'prod',
        });
        table.grant(made.function, operationsOf(contract));
        return [operation, made];
      }),
    );
  }

  private addRoutes(authorizer: apigateway.IAuthorizer): apigateway.IResource {
    const integrations = Object.fromEntries(
      Object.entries(this.operations).map(([operation, { live }]) => [
        operation,
        new apigateway.LambdaIntegration(live, { allowTestInvoke: false }),
      ]),
    );
    const version = this.rest.root.addResource(apiVersion);
    for (const { method, path, operation } of routesOf(api)) {
      version.resourceForPath(path.slice(1)).addMethod(method, integrations[operation], {
        authorizer,
        apiKeyRequired: true,
      });
    }
    return version;
  }

  private restApi(config: Config): apigateway.RestApi {
    return new apigateway.RestApi(this, 'Rest', {
      restApiName: this.name,
      // The key's owner is found by the authorizer, which hands the gateway the usage plan's one key.
      apiKeySourceType: apigateway.ApiKeySourceType.AUTHORIZER,
      endpointTypes: [apigateway.EndpointType.REGIONAL],
      // The account's one setting that lets API Gateway write logs; it outlives the stack, for others rely on it.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        stageName: this.stageName,
        tracingEnabled: true,
        throttlingRateLimit: 500,
        throttlingBurstLimit: 1000,
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
    });
  }

  /** Shields the account as a whole; what a key may do in an hour is counted by the service itself. */
  private usagePlanKey(): string {
    const value = `${this.node.addr}${this.node.addr}`.slice(0, 60);
    const key = this.rest.addApiKey('PlanKey', { value });
    const plan = this.rest.addUsagePlan('Plan', {
      description: 'Every admitted request; keys of projects are counted by the service',
      throttle: { rateLimit: 500, burstLimit: 1000 },
      apiStages: [{ api: this.rest, stage: this.rest.deploymentStage }],
    });
    plan.addApiKey(key);
    return value;
  }

  private authorizerFunction(table: ServiceTable, config: Config, usagePlanKey: string): ServiceFunction {
    const authorize = new ServiceFunction(this, 'Authorize', {
      entry: 'authorize',
      description: functions.authorize.description,
      config,
      environment: { TABLE_NAME: table.table.tableName, USAGE_PLAN_KEY: usagePlanKey },
      traced: true,
      released: config.stage === 'prod',
    });
    table.grant(authorize.function, functions.authorize.uses);
    return authorize;
  }

  private addFirewall({ rateLimitPerHour }: Config): void {
    const message = 'Too many requests from one address; slow down';
    const firewall = new Firewall(this, 'Firewall', {
      scope: 'REGIONAL',
      // In five minutes what a key may do in an hour: whoever sends more is no client of this API.
      requestsPerAddress: Math.max(rateLimitPerHour, 10_000),
      // Bodies hold addresses, texts and up to 64 KB by contract, and are validated behind it.
      counted: [
        'SizeRestrictions_BODY',
        'GenericRFI_BODY',
        'EC2MetaDataSSRF_BODY',
        'CrossSiteScripting_BODY',
        'GenericLFI_BODY',
        'NoUserAgent_HEADER',
      ],
      refusal: {
        contentType: 'APPLICATION_JSON',
        content: JSON.stringify({ success: false, error: { code: 'RATE_LIMIT_EXCEEDED', message } }),
      },
    });
    new wafv2.CfnWebACLAssociation(this, 'FirewallAssociation', {
      resourceArn: this.rest.deploymentStage.stageArn,
      webAclArn: firewall.arn,
    });
  }

  private addDomain({ name, certificateArn, hostedZoneId }: Domain): void {
    const zone = hostedZoneId && route53.HostedZone.fromHostedZoneId(this, 'Zone', hostedZoneId);
    const certificate = certificateArn
      ? acm.Certificate.fromCertificateArn(this, 'Certificate', certificateArn)
      : new acm.Certificate(this, 'Certificate', {
          domainName: name,
          validation: acm.CertificateValidation.fromDns(zone || undefined),
        });
    const domain = this.rest.addDomainName('Domain', {
      domainName: name,
      certificate,
      endpointType: apigateway.EndpointType.REGIONAL,
      securityPolicy: apigateway.SecurityPolicy.TLS_1_2,
    });
    new CfnOutput(Stack.of(this), 'ApiDomainTarget', { value: domain.domainNameAliasDomainName });
    if (zone) {
      new route53.ARecord(this, 'Record', {
        zone,
        recordName: `${name}.`,
        target: route53.RecordTarget.fromAlias(new targets.ApiGatewayDomain(domain)),
      });
    }
  }

  private acknowledge({ waf }: Config): void {
    Validations.of(this).acknowledge(
      {
        id: 'AwsSolutions::AwsSolutions-APIG2',
        reason:
          'Each function validates by its contract, so that refusals have the shape and headers of the API',
      },
      {
        id: 'AwsSolutions::AwsSolutions-APIG6',
        reason: "Execution logs would hold clients' headers; the access log names project and key id instead",
      },
      {
        id: 'AwsSolutions::AwsSolutions-COG4',
        reason: 'Clients are machines with API keys, which the authorizer looks up',
      },
      {
        id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
        reason: 'The policy that AWS names for this account setting',
      },
    );
    if (!waf) {
      Validations.of(this).acknowledge({
        id: 'AwsSolutions::AwsSolutions-APIG3',
        reason: 'Off in this stage; the context key waf turns it on',
      });
    }
  }
}

const pascalCase = (operation: string) => operation.charAt(0).toUpperCase() + operation.slice(1);
