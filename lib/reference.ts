import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { openApiOf } from '../core/api/openapi.ts';
import { referencePaths } from '../core/api/routes.ts';
import { ServiceFunction } from './function.ts';
import { rowOf } from './functions.ts';
import { referencePage } from './reference-page.ts';
import type { Service } from './service.ts';

/** The API's description and the page that renders it, below its version: public, without a key, and only from this API. */
export class Reference extends Construct {
  readonly function: ServiceFunction;

  constructor(scope: Construct, id: string, version: apigateway.IResource, service: Service) {
    super(scope, id);
    const { rateLimitPerHour } = service.config;
    const files = () => ({
      'openapi.json': JSON.stringify(openApiOf(rateLimitPerHour)),
      'docs.json': JSON.stringify(referencePage(rateLimitPerHour)),
    });
    this.function = new ServiceFunction(this, { ...rowOf('reference'), files }, service);
    const integration = new apigateway.LambdaIntegration(this.function.live, { allowTestInvoke: false });
    for (const one of referencePaths) {
      version.resourceForPath(one.slice(1)).addMethod('GET', integration, {
        authorizationType: apigateway.AuthorizationType.NONE,
      });
    }
  }
}
