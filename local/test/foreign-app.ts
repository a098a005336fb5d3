import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import * as origins from 'aws-cdk-lib/aws-cloudfront-origins';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as sources from 'aws-cdk-lib/aws-lambda-event-sources';
import * as s3 from 'aws-cdk-lib/aws-s3';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { newFolder } from './folder.ts';

export interface ForeignApp {
  /** Its `cdk.out`. */
  readonly assembly: string;
  /** An empty folder next to it. */
  readonly data: string;
}

/**
 * Calls its table by plain HTTP, because the bundle has no packages. The signature is enough for an endpoint that only
 * reads the access key.
 */
const bundle = `
let stored = 0;
const call = async (operation, input) => {
  const response = await fetch(process.env.AWS_ENDPOINT_URL_DYNAMODB, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.' + operation,
      'x-amz-date': '20300101T000000Z',
      authorization: 'AWS4-HMAC-SHA256 Credential=' + process.env.AWS_ACCESS_KEY_ID +
        '/20300101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=' + '0'.repeat(64),
    },
    body: JSON.stringify({ TableName: process.env.TABLE, ...input }),
  });
  return { status: response.status, ...(await response.json()) };
};
const put = (id, text) => call('PutItem', { Item: { id: { S: id }, text: { S: text } } });
const get = (id) => call('GetItem', { Key: { id: { S: id } }, ConsistentRead: true });

export const api = async ({ httpMethod, pathParameters, body, requestContext }) => {
  if (httpMethod === 'PUT') await put(pathParameters.name, body);
  if (httpMethod === 'DELETE') {
    const refused = await call('DeleteItem', { Key: { id: { S: pathParameters.name } } });
    return { statusCode: refused.status, body: JSON.stringify(refused) };
  }
  const { Item } = await get(pathParameters.name);
  const found = { text: Item?.text.S, caller: requestContext.authorizer?.who };
  return { statusCode: Item ? 200 : 404, body: JSON.stringify(found) };
};
export const authorize = async ({ headers, methodArn }) => ({
  principalId: 'caller',
  usageIdentifierKey: headers['x-pass'],
  context: { who: 'passed' },
  policyDocument: { Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: methodArn }] },
});
export const web = async ({ rawPath, headers }) => ({
  statusCode: 200,
  headers: { 'x-host': headers['x-viewer-host'] ?? '' },
  body: JSON.stringify({ rawPath, secret: process.env.SECRET, api: process.env.API, environment: process.env }),
});
export const copy = async ({ Records }) => {
  for (const { dynamodb: { Keys } } of Records) {
    if (Keys.id.S === 'endless') await new Promise((resolve) => setTimeout(resolve, 800_000));
    if (!Keys.id.S.startsWith('copy-')) await put('copy-' + Keys.id.S, String((stored += 1)));
  }
};
`;

/** Another app of the same shape: a table with a stream, a REST API with an authorizer, a distribution. */
export function synthesizeForeignApp(): ForeignApp {
  const folder = newFolder();
  const code = join(folder, 'code');
  mkdirSync(code);
  writeFileSync(join(code, 'index.mjs'), bundle);
  const app = new App({ outdir: join(folder, 'cdk.out') });
  const stack = new Stack(app, 'Foreign');
  const table = new dynamodb.TableV2(stack, 'Table', {
    partitionKey: { name: 'id', type: dynamodb.AttributeType.STRING },
    dynamoStream: dynamodb.StreamViewType.NEW_AND_OLD_IMAGES,
  });
  const secret = new secretsmanager.Secret(stack, 'Secret', { generateSecretString: { passwordLength: 48 } });
  const aFunction = (
    id: string,
    handler: string,
    environment: Record<string, string> = {},
    timeout = Duration.seconds(3),
  ) =>
    new lambda.Function(stack, id, {
      timeout,
      runtime: lambda.Runtime.NODEJS_24_X,
      handler: `index.${handler}`,
      code: lambda.Code.fromAsset(code),
      environment: { TABLE: table.tableName, ...environment },
    });
  const store = aFunction('Store', 'api');
  table.grant(store, 'dynamodb:GetItem', 'dynamodb:PutItem');
  const rest = addApi(stack, store, aFunction('Authorize', 'authorize'));
  addDistribution(
    stack,
    aFunction('Web', 'web', { SECRET: secret.secretValue.unsafeUnwrap(), API: rest.url }),
  );
  const copy = aFunction('Copy', 'copy', {}, Duration.minutes(15));
  table.grant(copy, 'dynamodb:PutItem');
  copy.addEventSource(
    new sources.DynamoEventSource(table, {
      startingPosition: lambda.StartingPosition.TRIM_HORIZON,
      onFailure: new sources.S3OnFailureDestination(new s3.Bucket(stack, 'Failures')),
    }),
  );
  app.synth();
  return { assembly: join(folder, 'cdk.out'), data: join(folder, 'data') };
}

function addApi(stack: Stack, store: lambda.Function, authorize: lambda.Function): apigateway.RestApi {
  const rest = new apigateway.RestApi(stack, 'Notes', {
    apiKeySourceType: apigateway.ApiKeySourceType.AUTHORIZER,
  });
  const key = rest.addApiKey('Key', { value: 'a-key-of-the-foreign-plan' });
  rest.addUsagePlan('Plan', { apiStages: [{ api: rest, stage: rest.deploymentStage }] }).addApiKey(key);
  const authorizer = new apigateway.RequestAuthorizer(stack, 'Authorizer', {
    handler: authorize,
    identitySources: [apigateway.IdentitySource.header('X-Pass')],
    resultsCacheTtl: Duration.seconds(0),
  });
  const alias = new lambda.Alias(stack, 'Live', { aliasName: 'live', version: store.currentVersion });
  const note = rest.root.addResource('v1.2').addResource('notes').addResource('{name}');
  note.addMethod('ANY', new apigateway.LambdaIntegration(alias), { authorizer, apiKeyRequired: true });
  rest.addGatewayResponse('Unknown', {
    type: apigateway.ResponseType.MISSING_AUTHENTICATION_TOKEN,
    statusCode: '404',
    templates: { 'application/json': '{"nothing":"here"}' },
  });
  return rest;
}

function addDistribution(stack: Stack, web: lambda.Function): void {
  const url = web.addFunctionUrl({ authType: lambda.FunctionUrlAuthType.AWS_IAM });
  const source = `function handler(event) {
    event.request.headers['x-viewer-host'] = { value: event.request.headers.host.value };
    return event.request;
  }`;
  const distribution = new cloudfront.Distribution(stack, 'Site', {
    defaultBehavior: {
      origin: origins.FunctionUrlOrigin.withOriginAccessControl(url),
      cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
      originRequestPolicy: new cloudfront.OriginRequestPolicy(stack, 'Forwarded', {
        headerBehavior: cloudfront.OriginRequestHeaderBehavior.allowList('X-Viewer-Host'),
      }),
      functionAssociations: [
        {
          eventType: cloudfront.FunctionEventType.VIEWER_REQUEST,
          function: new cloudfront.Function(stack, 'Viewer', {
            code: cloudfront.FunctionCode.fromInline(source),
          }),
        },
      ],
    },
  });
  new CfnOutput(stack, 'SiteUrl', { value: `https://${distribution.domainName}/start` });
}
