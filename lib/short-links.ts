import path from 'node:path';
import { Duration } from 'aws-cdk-lib';
import * as acm from 'aws-cdk-lib/aws-certificatemanager';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import * as origins from 'aws-cdk-lib/aws-cloudfront-origins';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Config } from './config.ts';
import { ServiceFunction } from './function.ts';
import type { ServiceTable } from './table.ts';

/** What the redirect reads of a request. An origin request policy holds ten at most. */
const forwardedHeaders = [
  'User-Agent',
  'Accept',
  'Sec-Purpose',
  'Purpose',
  'X-Forwarded-Host',
  'CloudFront-Viewer-Address',
  'CloudFront-Viewer-Country',
  'CloudFront-Forwarded-Proto',
];

/** CloudFront keeps these for ten seconds unless told otherwise, and a link that is activated must work at once. */
const cachedErrors = [404, 405, 414, 500, 501, 502, 503, 504];

export interface ShortLinksProps {
  readonly table: ServiceTable;
  readonly config: Config;
}

/** The short URLs: CloudFront in front of the redirect. */
export class ShortLinks extends Construct {
  readonly distribution: cloudfront.Distribution;
  /** Where short URLs start, such as `https://go.example.com`. */
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, { table, config }: ShortLinksProps) {
    super(scope, id);
    const redirect = this.redirect(table, config);
    const origin = origins.FunctionUrlOrigin.withOriginAccessControl(
      redirect.addFunctionUrl({ authType: lambda.FunctionUrlAuthType.AWS_IAM }),
      // A repeated request would be a second click.
      { connectionAttempts: 1, readTimeout: Duration.seconds(10) },
    );
    this.distribution = new cloudfront.Distribution(this, 'Distribution', {
      comment: `Short links (${config.stage})`,
      httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
      minimumProtocolVersion: cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
      ...(config.short && {
        domainNames: [config.short.name],
        certificate: acm.Certificate.fromCertificateArn(this, 'Certificate', config.short.certificateArn),
      }),
      defaultBehavior: {
        origin,
        viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        // All of them, so that the edge function can answer 405 where CloudFront itself would say 403.
        allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
        cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
        originRequestPolicy: new cloudfront.OriginRequestPolicy(this, 'Forwarded', {
          headerBehavior: cloudfront.OriginRequestHeaderBehavior.allowList(...forwardedHeaders),
          queryStringBehavior: cloudfront.OriginRequestQueryStringBehavior.all(),
          cookieBehavior: cloudfront.OriginRequestCookieBehavior.none(),
        }),
        functionAssociations: [
          {
            eventType: cloudfront.FunctionEventType.VIEWER_REQUEST,
            function: new cloudfront.Function(this, 'ViewerRequest', {
              comment: "Hands the viewer's host on to the origin",
              runtime: cloudfront.FunctionRuntime.JS_2_0,
              code: cloudfront.FunctionCode.fromFile({
                filePath: path.join(import.meta.dirname, 'viewer-request.js'),
              }),
            }),
          },
        ],
      },
      errorResponses: cachedErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    });
    this.baseUrl = `https://${config.short?.name ?? this.distribution.domainName}`;
  }

  private redirect(table: ServiceTable, config: Config): lambda.Function {
    const secret = new secretsmanager.Secret(this, 'VisitorSecret', {
      description: 'Keys the hashes by which returning visitors are recognised',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
    });
    const { function: redirect } = new ServiceFunction(this, 'Redirect', {
      entry: 'redirect',
      description: 'Sends visitors of short URLs on and counts their clicks',
      environment: {
        TABLE_NAME: table.table.tableName,
        UNIQUE_WINDOW_DAYS: String(config.uniqueWindowDays),
        // Resolved when the stack is deployed; the template holds a reference only.
        VISITOR_SECRET: secret.secretValue.unsafeUnwrap(),
      },
      memorySize: 1024,
    });
    table.grant(redirect, ['links.route', 'domains.find', 'clicks.add']);
    return redirect;
  }
}
