import { Duration } from 'aws-cdk-lib';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import * as origins from 'aws-cdk-lib/aws-cloudfront-origins';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { qrDefaults } from '../core/qr-styles/qr-options.ts';
import type { Config } from './config.ts';
import type { ServiceFunction } from './function.ts';
import { globalName } from './global-name.ts';
import { addRetryPage, retryPath } from './retry-page.ts';
import type { StandbyStack } from './standby-stack.ts';
import { viewerRequestSource } from './viewer-request.ts';

/** Request headers that the redirect reads. An origin request policy allows at most ten. */
const forwardedHeaders = [
  'User-Agent',
  'Accept',
  'Accept-Language',
  'Referer',
  // The edge function copies older purpose headers into it.
  'Sec-Purpose',
  'X-Forwarded-Host',
  'X-Visit-Id',
  'CloudFront-Viewer-Address',
  'CloudFront-Viewer-Country',
  'CloudFront-Forwarded-Proto',
];

/** The path at which the second region always responds; those below it are its short URLs, for operators' checks. */
export const standbyPath = '/.well-known/standby';

/** Statuses that CloudFront caches for ten seconds by default, although an activated link must work at once. */
const cachedErrors = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];

type Functions = Readonly<Record<'redirect' | 'qr' | 'wellKnown' | 'appLink', ServiceFunction>>;

/** CloudFront's behaviors for the paths of a short host. The 404 page shows the contact. */
export const addBehaviors = (parent: Construct, made: Functions, config: Config, standby?: StandbyStack) => {
  const scope = new Construct(parent, 'Behaviors');
  const shared = sharedBehavior(scope, config);
  const accessOf = (name: string) =>
    new cloudfront.FunctionUrlOriginAccessControl(scope, `Access${name}`, {
      originAccessControlName: globalName(scope, config, 'accessControl', name),
    });
  const originOf = (name: string, { live }: ServiceFunction, originId?: string) =>
    origins.FunctionUrlOrigin.withOriginAccessControl(
      live.addFunctionUrl({ authType: lambda.FunctionUrlAuthType.AWS_IAM }),
      {
        originAccessControl: accessOf(name),
        ...(standby && originId ? { ...failingOver, originId } : patient),
      },
    );
  const defaultBehavior = {
    ...shared,
    origin: originOf('Redirect', made.redirect, 'Home'),
    cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
    originRequestPolicy: new cloudfront.OriginRequestPolicy(scope, 'Forwarded', {
      originRequestPolicyName: globalName(scope, config, 'policy', 'Forwarded'),
      headerBehavior: cloudfront.OriginRequestHeaderBehavior.allowList(...forwardedHeaders),
      queryStringBehavior: cloudfront.OriginRequestQueryStringBehavior.all(),
    }),
  };
  // The function's headers decide about caching: browsers for a day, the edge not at all. CloudFront compresses only if
  // the policy allows caching.
  const qrCodes = {
    ...shared,
    origin: originOf('Qr', made.qr),
    cachePolicy: cachePolicy(scope, 'QrCodes', Duration.seconds(1), Object.keys(qrDefaults)),
    originRequestPolicy: new cloudfront.OriginRequestPolicy(scope, 'ForwardedForQrCodes', {
      originRequestPolicyName: globalName(scope, config, 'policy', 'ForwardedForQrCodes'),
      headerBehavior: cloudfront.OriginRequestHeaderBehavior.allowList(
        'Accept',
        'CloudFront-Forwarded-Proto',
      ),
    }),
  };
  const files = {
    ...shared,
    origin: originOf('WellKnown', made.wellKnown, 'HomeFiles'),
    // Many phones fetch these; an operator's change may take five minutes.
    cachePolicy: cachePolicy(scope, 'Associations', Duration.minutes(5)),
  };
  const appLinks = { ...defaultBehavior, origin: originOf('AppLink', made.appLink) };
  // CloudFront's permissions are in the other stack.
  const standbyOf = (originId: string, host: string) => ({
    ...defaultBehavior,
    origin: new origins.HttpOrigin(host, {
      originId,
      originAccessControlId: accessOf(originId).originAccessControlId,
      ...patient,
    }),
  });
  return {
    defaultBehavior,
    additionalBehaviors: {
      // The edge function removes appended characters, such as a full stop or a bracket, afterwards.
      '*/link.json*': appLinks,
      '*/open.json*': appLinks,
      '*/qr.png*': qrCodes,
      '*/qr.svg*': qrCodes,
      ...(standby && {
        // First, because an origin's number is part of its permissions' logical ids.
        '/apple-app-site-association': files,
        [standbyPath]: standbyOf('StandbyFiles', standby.wellKnownHost),
        [`${standbyPath}/*`]: standbyOf('Standby', standby.redirectHost),
      }),
      '/.well-known/*': files,
      // The path for iOS before 9.3.
      '/apple-app-site-association': files,
      [retryPath]: addRetryPage(scope),
    },
    errorResponses: cachedErrors.map((httpStatus) => ({
      httpStatus,
      ttl: Duration.seconds(0),
      // Not 503, which the service itself returns.
      ...([502, 504].includes(httpStatus) && { responseHttpStatus: 503, responsePagePath: retryPath }),
    })),
  };
};

const sharedBehavior = (scope: Construct, config: Config): Omit<cloudfront.BehaviorOptions, 'origin'> => ({
  viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
  // All methods, so that the edge function can return 405; CloudFront itself would return 403.
  allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
  responseHeadersPolicy: new cloudfront.ResponseHeadersPolicy(scope, 'Secured', {
    responseHeadersPolicyName: globalName(scope, config, 'policy', 'Secured'),
    comment:
      'Pages bring the rest of their own, redirects must not set a referrer policy for the destination',
    securityHeadersBehavior: {
      contentTypeOptions: { override: true },
      strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override: true },
    },
  }),
  functionAssociations: [
    {
      eventType: cloudfront.FunctionEventType.VIEWER_REQUEST,
      function: new cloudfront.Function(scope, 'ViewerRequest', {
        comment: "Answers paths that can't be short URLs, and passes the viewer's host to the origin",
        runtime: cloudfront.FunctionRuntime.JS_2_0,
        code: cloudfront.FunctionCode.fromInline(viewerRequestSource(config)),
      }),
    },
  ],
});

const cachePolicy = (scope: Construct, id: string, maxTtl: Duration, queries?: string[]) =>
  new cloudfront.CachePolicy(scope, id, {
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl,
    // The host from the edge function, because every host has its own codes and files.
    headerBehavior: cloudfront.CacheHeaderBehavior.allowList('X-Forwarded-Host'),
    ...(queries && { queryStringBehavior: cloudfront.CacheQueryStringBehavior.allowList(...queries) }),
    enableAcceptEncodingGzip: true,
    enableAcceptEncodingBrotli: true,
  });

const patient = {
  // A retried request could count a second click.
  connectionAttempts: 1,
  // By default a packet lost during the connection costs a visitor ten seconds.
  connectionTimeout: Duration.seconds(3),
  // The redirect gives up reading a link after three seconds, and its app after three more.
  readTimeout: Duration.seconds(7),
};

/** For origins whose visits another region can take over. */
const failingOver = {
  ...patient,
  connectionTimeout: Duration.seconds(2),
  readTimeout: Duration.seconds(4),
};
