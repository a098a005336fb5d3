import { Duration, Stack } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Construct } from 'constructs';
import { retryPage } from '../core/pages/notice-page.ts';

const file = 'retry.html';

/** No code has a dot. */
export const retryPath = `/${file}`;

/**
 * What visitors get in place of an error of CloudFront's origins: a page that tries again by itself. It comes from an API
 * without a function, and each edge location keeps it, so it is there when functions are not.
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
  // Nobody needs its address.
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
      // Viewers are told to store nothing; the edge does, in time for the next error.
      minTtl: Duration.days(1),
      defaultTtl: Duration.days(1),
      maxTtl: Duration.days(1),
    }),
  };
};
