import type { CacheBehavior, Distribution, Origin } from './assembly.ts';
import { readCachePolicy, readOriginRequestPolicy, readResponseHeaders } from './cloudfront-policies.ts';
import { readErrorPages } from './error-pages.ts';
import type { FunctionIndex } from './functions.ts';
import type { Properties } from './properties.ts';
import { cloudFrontFunctionArn } from './references.ts';
import type { Resource } from './resource.ts';
import type { Resources } from './resources.ts';

interface BehaviorSources {
  readonly id: string;
  readonly origins: Distribution['origins'];
  readonly resources: Resources;
}

export function readDistributions(resources: Resources, functions: FunctionIndex): Distribution[] {
  return resources.ofType('AWS::CloudFront::Distribution').map((distribution) => {
    const config = distribution.properties.in('DistributionConfig');
    const origins = Object.fromEntries(
      config
        .each('Origins')
        // An API is an origin only of error pages.
        .filter((origin) => !origin.text('DomainName').includes('.execute-api.'))
        .map((origin) => [origin.text('Id'), readOrigin(distribution, origin, functions)]),
    );
    const sources = { id: distribution.id, origins, resources };
    const pagePaths = config.each('CustomErrorResponses').map((one) => one.text('ResponsePagePath', ''));
    const patterned = config
      .each('CacheBehaviors')
      .filter((one) => !pagePaths.includes(one.text('PathPattern')))
      .map((one) => readBehavior(one, sources));
    const errors = config
      .each('CustomErrorResponses')
      .filter((response) => response.has('ErrorCachingMinTTL'))
      .map((response) => [response.number('ErrorCode', 0), response.number('ErrorCachingMinTTL', 10)]);
    return {
      id: distribution.id,
      isTemplate: config.text('ConnectionMode', 'direct') === 'tenant-only',
      aliases: config.texts('Aliases').map((alias) => alias.toLowerCase()),
      origins,
      behaviors: [...patterned, readBehavior(config.in('DefaultCacheBehavior'), sources)],
      errorTtls: Object.fromEntries(errors),
      errorPages: readErrorPages(config, { resources, id: distribution.id }),
    };
  });
}

function readOrigin({ id, region }: Resource, origin: Properties, functions: FunctionIndex): Origin {
  const host = origin.text('DomainName');
  if (origin.text('OriginPath', '')) throw new Error(`${id}: an origin path isn't emulated`);
  const headers = origin
    .each('OriginCustomHeaders')
    .map((header) => [header.text('HeaderName').toLowerCase(), header.text('HeaderValue')]);
  const { functionId, region: ofFunction } = functions.ofUrlHost(host, id);
  return {
    functionId,
    host,
    headers: Object.fromEntries(headers),
    readTimeoutSeconds: origin.in('CustomOriginConfig').number('OriginReadTimeout', 30),
    isElsewhere: ofFunction !== region,
  };
}

function readBehavior(config: Properties, { id, origins, resources }: BehaviorSources): CacheBehavior {
  const originId = config.text('TargetOriginId');
  if (!origins[originId]) throw new Error(`${id}: the origin ${originId} isn't defined`);
  if (config.has('ForwardedValues')) throw new Error(`${id}: ForwardedValues isn't emulated, use policies`);
  const methods = config.texts('AllowedMethods');
  const responseHeaders = readResponseHeaders(
    config.text('ResponseHeadersPolicyId', undefined),
    resources,
    id,
  );
  const viewerRequest = readViewerRequest(id, config, resources);
  return {
    pathPattern: config.text('PathPattern', '*'),
    originId,
    allowedMethods: methods.length > 0 ? methods : ['GET', 'HEAD'],
    cache: readCachePolicy(config.text('CachePolicyId', ''), resources, id),
    originRequest: readOriginRequestPolicy(config.text('OriginRequestPolicyId', undefined), resources, id),
    ...(viewerRequest !== undefined && { viewerRequest }),
    responseHeaders: responseHeaders.added,
    removedHeaders: responseHeaders.removed,
  };
}

function readViewerRequest(id: string, config: Properties, resources: Resources): string | undefined {
  if (config.each('LambdaFunctionAssociations').length > 0)
    throw new Error(`${id}: Lambda@Edge isn't emulated`);
  const associations = config.each('FunctionAssociations');
  const other = associations.find((one) => one.text('EventType') !== 'viewer-request');
  if (other) throw new Error(`${id}: a function on ${other.text('EventType')} isn't emulated`);
  const [association] = associations;
  if (!association) return undefined;
  const arn = association.text('FunctionARN');
  const source = resources
    .ofType('AWS::CloudFront::Function')
    .find((candidate) => cloudFrontFunctionArn(candidate) === arn);
  if (!source) throw new Error(`${id}: ${arn} isn't a CloudFront Function of the template`);
  return source.properties.text('FunctionCode');
}
