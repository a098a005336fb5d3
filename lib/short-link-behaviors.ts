import { Aws, Duration, Stack } from 'aws-cdk-lib';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import * as origins from 'aws-cdk-lib/aws-cloudfront-origins';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { qrDefaults } from '../core/pages/qr-options.ts';
import type { ServiceFunction } from './function.ts';
import { RetryPage, retryPath } from './retry-page.ts';
import { viewerRequestSource } from './viewer-request.ts';

/** The request headers that the redirect reads. An origin request policy allows ten at most. */
const forwardedHeaders = [
  'User-Agent',
  'Accept',
  'Accept-Language',
  'Referer',
  // The edge function also puts older headers of this kind into it.
  'Sec-Purpose',
  'X-Forwarded-Host',
  'CloudFront-Viewer-Address',
  'CloudFront-Viewer-Country',
  'CloudFront-Forwarded-Proto',
];

/** CloudFront caches these for ten seconds by default, but an activated link must work at once. */
const cachedErrors = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];

type Functions = Readonly<Record<'redirect' | 'qr' | 'wellKnown' | 'appLink', ServiceFunction>>;

/** What CloudFront does with the paths of a short host. The 404 page shows the contact. */
export class ShortLinkBehaviors extends Construct {
  readonly ofDistribution: Pick<
    cloudfront.DistributionProps,
    'defaultBehavior' | 'additionalBehaviors' | 'errorResponses'
  >;

  constructor(scope: Construct, id: string, made: Functions, abuseContact: string | undefined) {
    super(scope, id);
    const shared = this.shared(abuseContact);
    const defaultBehavior = {
      ...shared,
      origin: this.originOf('Redirect', made.redirect),
      cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
      originRequestPolicy: new cloudfront.OriginRequestPolicy(this, 'Forwarded', {
        originRequestPolicyName: this.regional('Forwarded'),
        headerBehavior: cloudfront.OriginRequestHeaderBehavior.allowList(...forwardedHeaders),
        queryStringBehavior: cloudfront.OriginRequestQueryStringBehavior.all(),
        cookieBehavior: cloudfront.OriginRequestCookieBehavior.none(),
      }),
    };
    const qrCodes = this.qrCodes({ ...shared, origin: this.originOf('Qr', made.qr) });
    const files = this.wellKnownFiles({ ...shared, origin: this.originOf('WellKnown', made.wellKnown) });
    const appLinks = { ...defaultBehavior, origin: this.originOf('AppLink', made.appLink) };
    const additionalBehaviors = {
      '*/link.json': appLinks,
      '*/open.json': appLinks,
      '*/qr.png': qrCodes,
      '*/qr.svg': qrCodes,
      '/.well-known/*': files,
      // Where systems before iOS 9.3 look for it.
      '/apple-app-site-association': files,
      [retryPath]: new RetryPage(this, 'Retry').behavior,
    };
    const errorResponses = cachedErrors.map((httpStatus) => ({
      httpStatus,
      ttl: Duration.seconds(0),
      // Not 503, which the service answers itself.
      ...([502, 504].includes(httpStatus) && { responseHttpStatus: 503, responsePagePath: retryPath }),
    }));
    this.ofDistribution = { defaultBehavior, additionalBehaviors, errorResponses };
  }

  private shared(abuseContact?: string): Omit<cloudfront.BehaviorOptions, 'origin'> {
    return {
      viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      // All of them, so that the edge function can answer 405 where CloudFront itself would say 403.
      allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
      responseHeadersPolicy: new cloudfront.ResponseHeadersPolicy(this, 'Secured', {
        responseHeadersPolicyName: this.regional('Secured'),
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
          function: new cloudfront.Function(this, 'ViewerRequest', {
            comment: "Answers paths that can't be short URLs, and passes the viewer's host to the origin",
            runtime: cloudfront.FunctionRuntime.JS_2_0,
            code: cloudfront.FunctionCode.fromInline(viewerRequestSource(abuseContact)),
          }),
        },
      ],
    };
  }

  /**
   * By its headers the function decides who keeps a code: browsers for a day, the edge not at all. CloudFront compresses
   * only where a policy would let it keep something.
   */
  private qrCodes(behavior: cloudfront.BehaviorOptions): cloudfront.BehaviorOptions {
    return {
      ...behavior,
      cachePolicy: this.cachePolicy('QrCodes', Duration.seconds(1), Object.keys(qrDefaults)),
      originRequestPolicy: new cloudfront.OriginRequestPolicy(this, 'ForwardedForQrCodes', {
        originRequestPolicyName: this.regional('ForwardedForQrCodes'),
        headerBehavior: cloudfront.OriginRequestHeaderBehavior.allowList(
          'Accept',
          'CloudFront-Forwarded-Proto',
        ),
        queryStringBehavior: cloudfront.OriginRequestQueryStringBehavior.none(),
        cookieBehavior: cloudfront.OriginRequestCookieBehavior.none(),
      }),
    };
  }

  /** Phones fetch these in crowds; five minutes are soon enough for an operator's change. */
  private wellKnownFiles(behavior: cloudfront.BehaviorOptions): cloudfront.BehaviorOptions {
    return { ...behavior, cachePolicy: this.cachePolicy('Associations', Duration.minutes(5)) };
  }

  private cachePolicy(id: string, maxTtl: Duration, queries: string[] = []): cloudfront.CachePolicy {
    return new cloudfront.CachePolicy(this, id, {
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl,
      // The host from the edge function: every host has its own codes and files.
      headerBehavior: cloudfront.CacheHeaderBehavior.allowList('X-Forwarded-Host'),
      queryStringBehavior:
        queries.length > 0
          ? cloudfront.CacheQueryStringBehavior.allowList(...queries)
          : cloudfront.CacheQueryStringBehavior.none(),
      cookieBehavior: cloudfront.CacheCookieBehavior.none(),
      enableAcceptEncodingGzip: true,
      enableAcceptEncodingBrotli: true,
    });
  }

  /** These names are an account's, not a region's, and two regions may have a stack of the same name. */
  private regional(name: string): string {
    return `${Stack.of(this).stackName}-${Aws.REGION}-${name}`;
  }

  private originOf(name: string, { live }: ServiceFunction): cloudfront.IOrigin {
    return origins.FunctionUrlOrigin.withOriginAccessControl(
      live.addFunctionUrl({ authType: lambda.FunctionUrlAuthType.AWS_IAM }),
      {
        originAccessControl: new cloudfront.FunctionUrlOriginAccessControl(this, `Access${name}`, {
          originAccessControlName: this.regional(name),
        }),
        // A request that is repeated may be a second click.
        connectionAttempts: 1,
        // By default a packet that is lost at the start costs a visitor ten seconds.
        connectionTimeout: Duration.seconds(3),
        // The redirect gives up a link's read after three seconds, and that of its app after three more.
        readTimeout: Duration.seconds(7),
      },
    );
  }
}
