import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { openApiOf } from '../core/api/openapi.ts';
import { referencePaths } from '../core/api/routes.ts';
import { ServiceFunction } from './function.ts';
import { rowOf } from './functions.ts';
import { referencePage } from './reference/page.ts';
import type { FunctionSettings } from './service.ts';

/** Routes of the API's description and its reference page, which are public. */
export const addReference = (
  parent: Construct,
  version: apigateway.IResource,
  service: FunctionSettings,
): ServiceFunction => {
  const { rateLimitPerHour } = service.config;
  const files = () => ({
    'openapi.json': JSON.stringify(openApiOf(rateLimitPerHour)),
    'docs.json': JSON.stringify(referencePage(rateLimitPerHour)),
  });
  const scope = new Construct(parent, 'Reference');
  const made = new ServiceFunction(scope, { ...rowOf('reference'), files }, service);
  for (const one of referencePaths) {
    version.resourceForPath(one.slice(1)).addMethod('GET', made.integration(), {
      authorizationType: apigateway.AuthorizationType.NONE,
    });
  }
  return made;
};
