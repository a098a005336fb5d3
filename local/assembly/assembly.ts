/**
 * The resources of a synthesized template as plain, resolved objects. Code below `local/` works only on these shapes
 * and on nothing else of the app.
 */
export interface Assembly {
  readonly functions: readonly FunctionResource[];
  readonly tables: readonly TableResource[];
  readonly mappings: readonly EventSourceMapping[];
  readonly queues: readonly QueueResource[];
  readonly queueMappings: readonly QueueMapping[];
  readonly apis: readonly RestApi[];
  readonly distributions: readonly Distribution[];
  readonly deliveryStreams: readonly DeliveryStream[];
  readonly schedules: readonly Schedule[];
  readonly secrets: readonly SecretResource[];
  /** Stack outputs by logical id. */
  readonly outputs: Readonly<Record<string, string>>;
}

export interface FunctionResource {
  readonly id: string;
  readonly region: string;
  /** Folder of the bundle as it would be uploaded. */
  readonly code: string;
  /** `file.export`, as Lambda states it. */
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  /** Statements of every policy attached to the function's role, resolved. */
  readonly statements: readonly PolicyStatement[];
}

export interface PolicyStatement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action?: string | readonly string[];
  readonly NotAction?: string | readonly string[];
  readonly Resource?: string | readonly string[];
  readonly NotResource?: string | readonly string[];
  readonly Condition?: Readonly<Record<string, unknown>>;
}

export interface TableResource {
  readonly id: string;
  readonly name: string;
  readonly arn: string;
  readonly streamArn?: string;
  /** The resource's properties, in the spelling that CreateTable shares with CloudFormation. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly ttlAttribute?: string;
}

export interface EventSourceMapping {
  readonly id: string;
  readonly functionId: string;
  readonly tableId: string;
  /** Event patterns, OR-ed, as in FilterCriteria. */
  readonly filters: readonly Readonly<Record<string, unknown>>[];
  readonly batchSize: number;
  readonly batchingWindowSeconds: number;
  readonly tumblingWindowSeconds: number;
  readonly startingPosition: 'TRIM_HORIZON' | 'LATEST';
  readonly bisectBatchOnError: boolean;
  readonly reportBatchItemFailures: boolean;
  /** -1: until the record leaves the stream. */
  readonly maximumRetryAttempts: number;
  readonly maximumRecordAgeSeconds: number;
  /** ARN of the on-failure destination. */
  readonly onFailure?: string;
}

/** A queue of SQS. */
export interface QueueResource {
  readonly id: string;
  readonly name: string;
  readonly arn: string;
  readonly url: string;
  readonly visibilitySeconds: number;
  readonly retentionSeconds: number;
  readonly delaySeconds: number;
  readonly maximumBytes: number;
  readonly deadLetters?: { readonly queueArn: string; readonly maxReceiveCount: number };
  /** Set for FIFO queues. */
  readonly fifo?: {
    /** Whether the hash of a message's body replaces its missing deduplication id. */
    readonly isContentBased: boolean;
    /** Whether equal ids in different groups are different messages. */
    readonly isPerGroup: boolean;
  };
}

/** A function that is invoked with a queue's messages. */
export interface QueueMapping {
  readonly id: string;
  readonly queueId: string;
  readonly functionId: string;
  readonly batchSize: number;
  readonly batchingWindowSeconds: number;
  readonly reportBatchItemFailures: boolean;
  readonly maximumConcurrency: number;
}

/** A rule that invokes a function regularly. */
export interface Schedule {
  readonly id: string;
  readonly arn: string;
  readonly functionId: string;
  readonly everyMs: number;
}

/** A secret that functions may read at run time. */
export interface SecretResource {
  /** Its ARN, and those of its replicas in other regions. */
  readonly arns: readonly string[];
  readonly value: () => string;
}

/** A stream of Firehose that writes Parquet files. */
export interface DeliveryStream {
  readonly id: string;
  readonly name: string;
  readonly arn: string;
  /** Prefix of file names, with expressions such as `!{timestamp:yyyy-MM-dd}`. */
  readonly prefix: string;
  /** Columns in order, with their Glue types. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

export interface RestApi {
  readonly id: string;
  readonly stageName: string;
  readonly apiKeySource: 'HEADER' | 'AUTHORIZER';
  readonly binaryMediaTypes: readonly string[];
  readonly methods: readonly ApiMethod[];
  readonly authorizers: readonly Authorizer[];
  /** By response type, such as `UNAUTHORIZED` or `DEFAULT_4XX`. */
  readonly gatewayResponses: Readonly<Record<string, GatewayResponse>>;
  /** The API keys in the usage plans of the stage. */
  readonly planKeys: readonly GatewayApiKey[];
}

export interface GatewayApiKey {
  readonly id: string;
  readonly value: string;
}

export interface ApiMethod {
  readonly httpMethod: string;
  /** `/1.0/things/{id}` */
  readonly path: string;
  /** A function's id, or the gateway's own responses. */
  readonly integration: string | MockIntegration;
  readonly authorizerId?: string;
  readonly apiKeyRequired: boolean;
}

export interface MockIntegration {
  /** By the request's media type in lower case. */
  readonly responses: Readonly<Record<string, MockResponse>>;
  /** Whether bodies of other types are passed on unchanged, and not refused. */
  readonly passesThrough: boolean;
}

export interface MockResponse {
  readonly statusCode: number;
  /** Expression for the status in the request's template; the default response has none. */
  readonly pattern?: string;
  /** Headers by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Authorizer {
  readonly id: string;
  readonly type: 'REQUEST' | 'TOKEN';
  readonly functionId: string;
  /** `method.request.header.X-API-KEY` and the like. */
  readonly identitySources: readonly string[];
  /** How long a result of the function is cached; 0: not at all. */
  readonly ttlSeconds: number;
  /** A pattern that a token must match before the function is called. */
  readonly validation?: string;
}

export interface GatewayResponse {
  readonly statusCode?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly templates: Readonly<Record<string, string>>;
}

export interface Distribution {
  readonly id: string;
  /** Whether the distribution has no address and serves only its tenants. */
  readonly isTemplate: boolean;
  /** Further hosts that it serves, in lower case. */
  readonly aliases: readonly string[];
  readonly origins: Readonly<Record<string, Origin>>;
  /** The default behaviour has the path pattern `*` and comes last. */
  readonly behaviors: readonly CacheBehavior[];
  /** ErrorCachingMinTTL in seconds, by status. */
  readonly errorTtls: Readonly<Record<number, number>>;
  /** Pages that replace an origin's errors, by status. */
  readonly errorPages?: Readonly<Record<number, ErrorPage>>;
}

export interface ErrorPage {
  /** Status that viewers get. */
  readonly statusCode: number;
  /** Headers by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A function URL behind a distribution. */
export interface Origin {
  readonly functionId: string;
  readonly host: string;
  /** Headers that the distribution adds to every request, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds that CloudFront waits for a response. */
  readonly readTimeoutSeconds: number;
  /** Whether it is in another region than the distribution's stack. */
  readonly isElsewhere: boolean;
}

export interface CacheBehavior {
  readonly pathPattern: string;
  readonly originId: string;
  readonly allowedMethods: readonly string[];
  readonly cache: CachePolicy;
  readonly originRequest: ForwardedParts;
  /** Source of the viewer-request CloudFront Function. */
  readonly viewerRequest?: string;
  readonly responseHeaders: readonly ResponseHeader[];
  /** Names of the origin's headers that the viewer doesn't get, in lower case. */
  readonly removedHeaders: readonly string[];
}

export interface ResponseHeader {
  readonly name: string;
  readonly value: string;
  /** Whether it replaces the origin's header of that name. */
  readonly override: boolean;
}

/**
 * The parts that reach the origin and, in a cache policy, those in the cache key: `all` or a list of names. `all`
 * headers exclude Host, which is the origin's own.
 */
export interface ForwardedParts {
  readonly headers: 'all' | readonly string[];
  readonly queryStrings: 'all' | readonly string[];
  readonly cookies: 'all' | readonly string[];
}

export interface CachePolicy extends ForwardedParts {
  readonly minTtl: number;
  readonly defaultTtl: number;
  readonly maxTtl: number;
}
