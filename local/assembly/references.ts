import { account, type References } from './intrinsics.ts';
import type { Resource } from './resource.ts';

type Value = (resource: Resource) => string;

interface Identity {
  readonly ref?: Value;
  readonly attributes?: Readonly<Record<string, Value>>;
}

const named =
  (property: string): Value =>
  ({ id, properties }) =>
    properties.text(property, id);

const functionArn: Value = (resource) =>
  `arn:aws:lambda:${resource.region}:${account}:function:${named('FunctionName')(resource)}`;

/** The ARN of the function that a version, alias or URL belongs to; it may be stated by name or by ARN. */
const targetArn =
  (property: string): Value =>
  ({ properties, region }) => {
    const target = properties.text(property);
    return target.startsWith('arn:') ? target : `arn:aws:lambda:${region}:${account}:function:${target}`;
  };

export const tableArn: Value = (resource) =>
  `arn:aws:dynamodb:${resource.region}:${account}:table/${named('TableName')(resource)}`;

export const streamArn: Value = (resource) => `${tableArn(resource)}/stream/local`;

const table: Identity = {
  ref: named('TableName'),
  attributes: {
    Arn: tableArn,
    StreamArn: streamArn,
    TableId: ({ id }) => id,
  },
};

/** Resource types whose references return more than their logical id. */
const identities: Readonly<Record<string, Identity>> = {
  'AWS::Lambda::Function': { ref: named('FunctionName'), attributes: { Arn: functionArn } },
  'AWS::Lambda::Version': {
    ref: (resource) => `${targetArn('FunctionName')(resource)}:1`,
    attributes: {
      Version: () => '1',
      FunctionArn: (resource) => `${targetArn('FunctionName')(resource)}:1`,
    },
  },
  'AWS::Lambda::Alias': {
    ref: (resource) => `${targetArn('FunctionName')(resource)}:${resource.properties.text('Name')}`,
  },
  'AWS::Lambda::Url': {
    ref: targetArn('TargetFunctionArn'),
    attributes: {
      FunctionArn: targetArn('TargetFunctionArn'),
      FunctionUrl: (resource) => `https://${functionUrlHost(resource)}/`,
    },
  },
  'AWS::DynamoDB::Table': table,
  'AWS::DynamoDB::GlobalTable': table,
  'AWS::ApiGateway::RestApi': {
    ref: apiId,
    attributes: { RestApiId: apiId, RootResourceId: ({ id }) => rootResourceId(id) },
  },
  'AWS::ApiGateway::Stage': { ref: ({ properties }) => properties.text('StageName') },
  'AWS::CloudFront::Function': {
    ref: cloudFrontFunctionArn,
    attributes: { FunctionARN: cloudFrontFunctionArn },
  },
  'AWS::IAM::Role': {
    ref: named('RoleName'),
    attributes: { Arn: roleArn },
  },
  'AWS::IAM::ManagedPolicy': { ref: managedPolicyArn },
  'AWS::SecretsManager::Secret': {
    ref: (resource) => secretArn(resource),
    attributes: { Id: (resource) => secretArn(resource) },
  },
  'AWS::KinesisFirehose::DeliveryStream': {
    ref: named('DeliveryStreamName'),
    attributes: { Arn: (resource) => deliveryStreamArn(resource) },
  },
  'AWS::SQS::Queue': {
    ref: (resource) => queueUrl(resource),
    attributes: {
      Arn: (resource) => queueArn(resource),
      QueueName: (resource) => queueName(resource),
      QueueUrl: (resource) => queueUrl(resource),
    },
  },
  'AWS::Glue::Table': { ref: ({ id, properties }) => properties.in('TableInput').text('Name', id) },
  'AWS::S3::Bucket': {
    ref: bucketName,
    attributes: { Arn: (resource) => `arn:aws:s3:::${bucketName(resource)}` },
  },
};

/**
 * Resolves Ref and Fn::GetAtt for this machine. `authorities`: `host:port` of served resources, by logical id.
 */
export function resourceReferences(
  find: (id: string) => Resource | undefined,
  authorities: Readonly<Record<string, string>>,
): References {
  const known = (id: string): Resource => {
    const resource = find(id);
    if (!resource) throw new Error(`${id} isn't a resource or parameter of the template`);
    return resource;
  };
  return {
    ref: (id) => {
      const resource = known(id);
      return identities[resource.type]?.ref?.(resource) ?? id;
    },
    attribute: (id, name) => {
      const resource = known(id);
      const authority = authorities[id];
      if (resource.type === 'AWS::CloudFront::Distribution' && name === 'DomainName' && authority) {
        return authority;
      }
      const attribute = identities[resource.type]?.attributes?.[name];
      if (attribute) return attribute(resource);
      // For resources that aren't emulated, only the spelling matters.
      const service = resource.type.split('::')[1]?.toLowerCase() ?? 'custom';
      return name === 'Arn' ? `arn:aws:${service}:${resource.region}:${account}:${id}` : `${id}.${name}`;
    },
  };
}

export function apiId({ id }: Pick<Resource, 'id'>): string {
  return id.toLowerCase();
}

export function rootResourceId(id: string): string {
  return `${id}-root`;
}

export function functionUrlHost({ id, region }: Pick<Resource, 'id' | 'region'>): string {
  return `${id.toLowerCase()}.lambda-url.${region}.on.aws`;
}

export function cloudFrontFunctionArn({ id }: Pick<Resource, 'id'>): string {
  return `arn:aws:cloudfront::${account}:function/${id}`;
}

export function roleArn({ id }: Pick<Resource, 'id'>): string {
  return `arn:aws:iam::${account}:role/${id}`;
}

export function managedPolicyArn({ id }: Pick<Resource, 'id'>): string {
  return `arn:aws:iam::${account}:policy/${id}`;
}

export function secretArn({ id, properties, region }: Resource): string {
  return `arn:aws:secretsmanager:${region}:${account}:secret:${properties.text('Name', id)}-local0`;
}

export function deliveryStreamArn({ id, properties, region }: Resource): string {
  return `arn:aws:firehose:${region}:${account}:deliverystream/${properties.text('DeliveryStreamName', id)}`;
}

export function queueName({ id, properties }: Resource): string {
  return properties.text('QueueName', properties.flag('FifoQueue') ? `${id}.fifo` : id);
}

export function queueArn(resource: Resource): string {
  return `arn:aws:sqs:${resource.region}:${account}:${queueName(resource)}`;
}

/** The origins of queue URLs in a template. Functions get the local one instead. */
export const queueOrigins = /https:\/\/sqs\.[a-z0-9-]+\.amazonaws\.com/g;

export function queueUrl(resource: Resource): string {
  return `https://sqs.${resource.region}.amazonaws.com/${account}/${queueName(resource)}`;
}

function bucketName({ id, properties }: Resource): string {
  return properties.text('BucketName', id.toLowerCase());
}
