import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { openApiOf } from '../core/api/openapi.ts';
import { referencePaths } from '../core/api/routes.ts';
import { ServiceFunction } from './function.ts';
import { rowOf } from './functions.ts';
import type { Service } from './service.ts';

export interface ReferenceProps {
  /** The resource of the API's version, below which everything is served. */
  readonly version: apigateway.IResource;
  readonly service: Service;
}

const root = path.join(import.meta.dirname, '..');
const read = (...names: string[]) => readFileSync(path.join(root, ...names), 'utf8');

/** The API's description and the page that renders it: public, without a key, and only from this API. */
export class Reference extends Construct {
  readonly function: ServiceFunction;

  constructor(scope: Construct, id: string, { version, service }: ReferenceProps) {
    super(scope, id);
    const files = () => pageFiles(service.config.rateLimitPerHour);
    this.function = new ServiceFunction(this, { ...rowOf('reference'), files }, service);
    const integration = new apigateway.LambdaIntegration(this.function.live, { allowTestInvoke: false });
    for (const one of referencePaths) {
      version.resourceForPath(one.slice(1)).addMethod('GET', integration, {
        authorizationType: apigateway.AuthorizationType.NONE,
      });
    }
  }
}

/** What the function serves. The renderer is a package's; its version is in its addresses, as it may be cached. */
const pageFiles = (requestsPerHour: number): Record<string, string> => {
  const renderer = ['node_modules', 'swagger-ui-dist'];
  const { version }: { version: string } = JSON.parse(read(...renderer, 'package.json'));
  return {
    'openapi.json': JSON.stringify(openApiOf(requestsPerHour)),
    docs: read('lambdas', 'reference', 'docs.html').replaceAll('VERSION', version),
    'start.js': read('lambdas', 'reference', 'start.js'),
    'page.css': read('lambdas', 'reference', 'page.css'),
    'swagger-ui-bundle.js': read(...renderer, 'swagger-ui-bundle.js'),
    'swagger-ui.css': read(...renderer, 'swagger-ui.css'),
  };
};
