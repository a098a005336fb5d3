import { Duration } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { api, apiVersion, entryName } from '../core/api/index.ts';
import { routesOf } from '../core/api/routes.ts';
import type { Config } from './config.ts';
import { ServiceFunction } from './function.ts';
import { addGatewayResponses } from './gateway-responses.ts';
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
  /** The service address, without the version segment. */
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, { table, config, shortBase }: ServiceApiProps) {
    super(scope, id);
    this.rest = this.restApi(config);
    addGatewayResponses(this.rest, config.rateLimitPerHour);
    const authorizer = this.authorizer(table, this.usagePlanKey());
    const environment = {
      TABLE_NAME: table.table.tableName,
      SHORT_BASE: shortBase,
      RATE_LIMIT_PER_HOUR: String(config.rateLimitPerHour),
    };
    const integrations = Object.fromEntries(
      Object.entries(api).map(([operation, contract]) => {
        const { function: handler } = new ServiceFunction(this, pascalCase(operation), {
          entry: `api/${entryName(operation)}`,
          description: `${contract.method} ${contract.path}: ${contract.summary}`,
          environment,
        });
        table.grant(handler, [...contract.uses, 'rates.take']);
        return [operation, new apigateway.LambdaIntegration(handler)];
      }),
    );
    const version = this.rest.root.addResource(apiVersion);
    for (const { method, path, operation } of routesOf(api)) {
      version.resourceForPath(path.slice(1)).addMethod(method, integrations[operation], {
        authorizer,
        apiKeyRequired: true,
      });
    }
    const stageUrl = this.rest.url.replace(/\/$/, '');
    this.baseUrl = config.api ? `https://${config.api.name}` : stageUrl;
  }

  private restApi(config: Config): apigateway.RestApi {
    const accessLog = new logs.LogGroup(this, 'AccessLog', { retention: logs.RetentionDays.ONE_MONTH });
    return new apigateway.RestApi(this, 'Rest', {
      restApiName: `dynamic-links-${config.stage}`,
      // The key's owner is found by the authorizer, which hands the gateway the usage plan's one key.
      apiKeySourceType: apigateway.ApiKeySourceType.AUTHORIZER,
      endpointTypes: [apigateway.EndpointType.REGIONAL],
      deployOptions: {
        stageName: config.stage,
        tracingEnabled: true,
        throttlingRateLimit: 500,
        throttlingBurstLimit: 1000,
        accessLogDestination: new apigateway.LogGroupLogDestination(accessLog),
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
      ...(config.api && {
        disableExecuteApiEndpoint: true,
      }),
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

  private authorizer(table: ServiceTable, usagePlanKey: string): apigateway.RequestAuthorizer {
    const { function: handler } = new ServiceFunction(this, 'Authorize', {
      entry: 'authorize',
      description: 'Finds the owner of an API key',
      environment: { TABLE_NAME: table.table.tableName, USAGE_PLAN_KEY: usagePlanKey },
    });
    table.grant(handler, ['apiKeys.get']);
    return new apigateway.RequestAuthorizer(this, 'Authorizer', {
      handler,
      identitySources: [apigateway.IdentitySource.header('X-API-KEY')],
      // A revoked key is refused at once all the same, by its rate window.
      resultsCacheTtl: Duration.seconds(60),
    });
  }
}

const pascalCase = (operation: string) => operation.charAt(0).toUpperCase() + operation.slice(1);
