import { Duration, Stack } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Construct } from 'constructs';
import { retryPage } from '../core/pages/notice-page.ts';

const file = 'retry.html';

/** The retry page's path. It can't be a code, because codes have no dots. */
export const retryPath = `/${file}`;

/**
 * The page that visitors get if CloudFront's origin fails; it retries automatically. It comes from an API without a
 * function and is cached at each edge location, so it doesn't depend on functions.
 */
export const addRetryPage = (parent: Construct): cloudfront.BehaviorOptions => {
  const scope = new Construct(parent, 'Retry');
  const { stackName, region } = Stack.of(scope);
  const api = new apigateway.RestApi(scope, 'Api', {
    restApiName: `${stackName}-retry`,
    endpointTypes: [apigateway.EndpointType.REGIONAL],
    cloudWatchRole: false,
    deployOptions: { stageName: 'page', throttlingRateLimit: 100, throttlingBurstLimit: 100 },
  });
  // The address isn't needed as an output.
  api.node.tryRemoveChild('Endpoint');
  const { html, headers } = retryPage();
  const responseHeaders = Object.entries(headers).map(([name, value]) => [
    `method.response.header.${name}`,
    `'${value.replaceAll("'", "\\'")}'`,
  ]);
  const statusCode = '200';
  const responseParameters = Object.fromEntries(responseHeaders);
  const integration = new apigateway.MockIntegration({
    requestTemplates: { 'application/json': '{"statusCode": 200}' },
    integrationResponses: [{ statusCode, responseTemplates: { 'text/html': html }, responseParameters }],
  });
  const named = Object.fromEntries(responseHeaders.map(([name]) => [name, true]));
  api.root.addResource(file).addMethod('GET', integration, {
    authorizationType: apigateway.AuthorizationType.NONE,
    methodResponses: [{ statusCode, responseParameters: named }],
  });
  return {
    origin: new HttpOrigin(`${api.restApiId}.execute-api.${region}.amazonaws.com`, { originPath: '/page' }),
    viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    cachePolicy: new cloudfront.CachePolicy(scope, 'Kept', {
      // Viewers must not cache it, but the edge does.
      minTtl: Duration.days(1),
      defaultTtl: Duration.days(1),
      maxTtl: Duration.days(1),
    }),
  };
};
