import { Failure, type FailureCode, type Fault, linkNotFound } from './failure.ts';
import { limits } from './limits.ts';

/*
 * Every message of the API to its clients. Each says what to do. `{word}` is a value of the request or of the service.
 * `npm run generate` writes docs/errors.md from those of failures.
 */

/** A message made of other values. Its calls are marked as pure, so that the consoles' bundles leave all failures out. */
const composed = (compose: () => string): string => compose();

export const failureMessages = {
  invalidApiKey: [
    'INVALID_API_KEY',
    'Send a valid API key in the X-API-KEY header; the Authorization header is not used',
  ],
  missingScope: ['INSUFFICIENT_PERMISSIONS', 'The API key lacks the scope {scope}; use a key that has it'],
  publishableKey: [
    'INSUFFICIENT_PERMISSIONS',
    'A publishable key can only create share links; use a secret key, which begins with dls_',
  ],
  secretKey: [
    'INSUFFICIENT_PERMISSIONS',
    'Share links need a publishable key, which begins with dlp_; keep secret keys out of apps and pages',
  ],
  suspended: [
    'INSUFFICIENT_PERMISSIONS',
    'The operator of this service has suspended the project; ask the operator',
  ],
  noSubscription: ['SUBSCRIPTION_REQUIRED', 'Creating links needs an active subscription'],
  tooManyLinks: [
    'LIMIT_REACHED',
    'The project has reached its limit of {limit} links; delete links that you no longer need',
  ],
  tooManyShareLinks: [
    'LIMIT_REACHED',
    'The key has reached its limit of {limit} links; ask the operator of this service',
  ],
  tooManyShareKeys: [
    'LIMIT_REACHED',
    'The project has reached its limit of {limit} publishable keys; revoke one that no app uses',
  ],
  notAvailable: ['BAD_REQUEST', 'This link is not available'],
  notSignedIn: ['INVALID_API_KEY', 'Sign in to the console'],
  notMember: ['INSUFFICIENT_PERMISSIONS', 'You are not a member of this project'],
  notAdmin: ['INSUFFICIENT_PERMISSIONS', 'Only admins of this project manage its members'],
  lastAdmin: ['BAD_REQUEST', 'This is the last admin of the project; make another member an admin first'],
  notMailbox: [
    'BAD_REQUEST',
    'The address must be an email address with a domain, such as ann@example.com, in ASCII, with at most 254 characters',
  ],
  tooManyMembers: ['LIMIT_REACHED', 'The project {project} has {limit} members, the most that it may have'],
  tooManyProjects: [
    'LIMIT_REACHED',
    '{email} is a member of {limit} projects, the most that one may work on',
  ],
  noChange: [
    'BAD_REQUEST',
    'The body must be {"project": "ID", "email": "ADDRESS", "role": ROLE}, with viewer, editor, admin, or null to remove the member',
  ],
  foreignCall: [
    'INSUFFICIENT_PERMISSIONS',
    'Only the console can make this call, with Content-Type application/json',
  ],
  noProject: ['BAD_REQUEST', 'The body must be {"project": "ID"}'],
  oneProject: ['BAD_REQUEST', 'The query must name one project: ?project=ID'],
  tooManyKeys: ['RATE_LIMIT_EXCEEDED', 'You opened this project too often; try again in a few minutes'],
  noPage: ['NOT_FOUND', 'The console has no such page'],
  noEndpoint: [
    'NOT_FOUND',
    'There is no such endpoint; paths begin with /1.0, such as /1.0/links, and GET /1.0/openapi.json lists them',
  ],
  noMember: ['NOT_FOUND', '{email} is not a member of the project {project}'],
  wrongMethod: ['METHOD_NOT_ALLOWED', 'This path supports only {methods}'],
  otherMethods: ['METHOD_NOT_ALLOWED', 'This path does not support this method'],
  noEntry: ['NOT_FOUND', 'The link has no such entry in its history'],
  linkNotFound: ['LINK_NOT_FOUND', /* @__PURE__ */ composed(() => linkNotFound().message)],
  mobileAppNotFound: ['MOBILE_APP_NOT_FOUND', 'Mobile app not found'],
  codeTaken: [
    'CODE_ALREADY_EXISTS',
    'This code is taken in the project, also after its link was deleted; choose another one',
  ],
  codeRepeated: [
    'CODE_ALREADY_EXISTS',
    'This code is repeated in the request: an earlier item has it; choose another one',
  ],
  keyReused: [
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used with another body; send a new key with a new request',
  ],
  noBody: ['VALIDATION_ERROR', 'The request has no body; send a JSON object'],
  bodyTooLarge: ['VALIDATION_ERROR', 'The request body is larger than {bytes} bytes; send less'],
  bodyFarTooLarge: [
    'VALIDATION_ERROR',
    /* @__PURE__ */ composed(
      () =>
        `The request body is too large; send at most ${limits.bodyBytes} bytes, or ${limits.bulkBodyBytes} to POST /1.0/links/bulk`,
    ),
  ],
  notUtf8: ['VALIDATION_ERROR', 'The request body must be JSON in UTF-8'],
  notJson: ['VALIDATION_ERROR', 'The request body is not valid JSON'],
  notJsonType: ['VALIDATION_ERROR', 'The Content-Type header must be application/json'],
  tooManyApps: [
    'VALIDATION_ERROR',
    /* @__PURE__ */ composed(
      () => `A project can have at most ${limits.appsPerProject} mobile apps; delete one that no link uses`,
    ),
  ],
  linkExpired: ['BAD_REQUEST', 'The link has expired and cannot be activated or paused'],
  editExpired: ['LINK_EXPIRED', 'The link has expired and cannot be changed'],
  keyBlocked: [
    'BAD_REQUEST',
    'The operator of this service has blocked the links of the publishable key that made the link',
  ],
  linkBlocked: ['BAD_REQUEST', 'The operator of this service has blocked the link; it can only be deleted'],
  sameStatus: ['BAD_REQUEST', 'The link is already {status}'],
  looksLikeAttack: ['BAD_REQUEST', 'The request was blocked by the firewall'],
  refused: ['BAD_REQUEST', 'The request was refused; GET /1.0/openapi.json describes what is accepted'],
  hourUsedUp: [
    'RATE_LIMIT_EXCEEDED',
    'The key has used up its hourly quota of {limit} requests; retry after the time in the Retry-After header',
  ],
  tooFast: ['RATE_LIMIT_EXCEEDED', 'Too many requests at once; send them more slowly'],
  firewall: ['RATE_LIMIT_EXCEEDED', 'Too many requests; slow down'],
  noTimeLeft: ['RATE_LIMIT_EXCEEDED', 'The call ran out of time before this link; send the link again'],
  tooBusy: ['RATE_LIMIT_EXCEEDED', 'The service is busy; send this link again in a moment'],
  internal: ['INTERNAL_ERROR', 'Something went wrong on our side; try again in a moment'],
  notReady: ['SERVICE_UNAVAILABLE', 'The service is not ready yet; try again in a moment'],
  uncounted: [
    'SERVICE_UNAVAILABLE',
    'The call could not be counted and nothing was done; send it again in a moment',
  ],
  unread: [
    'SERVICE_UNAVAILABLE',
    'The data could not be read and nothing was done; send the call again in a moment',
  ],
} as const satisfies Readonly<Record<string, readonly [FailureCode, string]>>;

/** Messages about a field; they follow its path and a colon. */
export const faultMessages = {
  required: 'is required',
  kind: 'must be {kind}',
  notNull: 'must be {kind}, not null',
  suchAs: '{message}, such as {right}',
  severalLinks: 'must be an object (POST /1.0/links/bulk creates several links, from {"links": […]})',
  tooLong: 'must have at most {count} characters',
  tooManyItems: 'must have at most {count} items',
  tooLarge: 'must be at most {limit}',
  empty: 'must not be empty',
  tooFewCharacters: 'must have at least {count} characters',
  tooFewItems: 'must have at least {count} items',
  tooSmall: 'must be at least {limit}',
  notWellFormed: 'must be well-formed Unicode',
  notWhole: 'must be a whole number',
  notId: 'must be an id in the form that the API returns',
  invalid: 'is not valid; GET /1.0/openapi.json describes it',
  code: `must be ${limits.code.min} to ${limits.code.max} letters, digits, hyphens or underscores`,
  reservedCode: 'is reserved; choose another code',
  storeId: `must be a numeric App Store id of at most ${limits.appStoreIdDigits} digits`,
  otherName: 'is unknown; use {name}',
  notOffered: 'is not offered by this service; leave it out',
  keepsCode: "can't be changed, because a link keeps its code; leave it out",
  keepsStatus: 'is {status}; PUT /1.0/links/{code}/status changes it',
  unknownField: 'is unknown; these are known: {names}',
  unknownParameter: 'is unknown; this endpoint accepts {names}',
  noParameters: 'is unknown; this endpoint accepts no query parameters',
  repeatedParameter: 'is given more than once',
  storeIdentifier:
    'must be an identifier such as com.example.app, without spaces or / : ? # @ (a store URL goes into the store fallback)',
  requiredToSave: 'is required with saveApp',
  savedAndNamed: "can't be given together with payload.{section}.saveApp",
  noSuchApp: 'no saved {platform} app has this id; GET /1.0/mobile-apps lists them',
  requiredForApp: 'is required for {platform} apps',
  ofOtherPlatform: 'applies only to {platform} apps; remove it',
  notClearable: "can't be cleared: it identifies the app",
  controls: 'must not contain control characters',
  directionMarks: 'must not contain bidirectional control characters',
  bytes: 'must have at most {bytes} bytes when encoded',
  referrerBytes: 'must have at most {bytes} bytes when encoded as a referrer',
  notUrl: 'must be an absolute http or https URL',
  controlCharacters: 'must not contain control characters or end with a space',
  backslash: 'must not contain a backslash before its query; write %5C',
  credentials: 'must not contain a user name or password',
  privateHost: 'must not point to a private, loopback, link-local or reserved host ({host})',
  ownHost: "must not point to this service's own short host",
  blockedHost: 'must not point to a host that the operator of this service has blocked',
  time: 'must be a time like 2030-01-31T12:00:00Z or a day like 2030-01-31',
  zone: 'must end with Z or an offset, such as 2030-01-31T12:00:00Z or 2030-01-31T12:00:00+01:00',
  sign: 'must have + or - before its offset; in a URL, write + as %2B',
  offset: 'must have an offset from -12:00 to +14:00',
  day: 'is a day that does not exist',
  clock: 'is a time of day that does not exist; use 00:00:00 to 23:59:59',
  year: 'must be in the years 0000 to 9999, in UTC',
  past: 'must be in the future',
  emptyRange: 'must be before end, and not in the future',
  tooManyBuckets: 'would make more than {limit} buckets; ask for a coarser granularity or a shorter range',
  notWithGrouping: "can't be given with groupBy={groupBy}",
  neededByGrouping: 'is required with groupBy={groupBy}',
  onlyWithGrouping: 'is only for groupBy={groupBy}',
  analyticsFilter: 'must be one of {fields}, then a colon and its value, such as country:DE',
  ruleName: 'must be 1 to 32 letters, digits, hyphens or underscores',
  ruleNameTaken: 'is reserved for analytics; choose another one',
  repeatedName: 'is already used by an earlier entry; choose another one',
  repeatedItem: 'must not contain duplicates',
  country: 'must be a two-letter ISO 3166 country code, such as DE',
  notCountry: 'is not a country code; use {meant}',
  languageRange: 'must be a language such as de or pt-BR',
  notLanguage: 'is not a language code; use {meant}',
  linkOrSplit: 'must have either link or split',
  noCondition: 'must have a condition ({names}) or split',
  fromUntil: 'must be before until',
  overFull: 'must have percentages that add up to at most 100',
  rulesTooLarge: 'must have at most {bytes} bytes as JSON',
  rulesTooQuoted:
    'must have at most {bytes} bytes when encoded as JSON twice; write quotes and backslashes in addresses as %22 and %5C',
  tooManyHosts: "must lead to at most {count} hosts other than the destination's",
  textName: `must have a name of 1 to ${limits.texts.name} letters, digits or any of _ . - (but not __proto__)`,
  tooManyNames: 'must have at most {count} names',
  bytesAsJson: 'must have at most {bytes} bytes as JSON',
  notAllowed: "can't be set with this key; leave it out",
  rawBackslash: 'must not contain a backslash, a tab or a line break',
  otherOrigin: "must have the scheme, host and port of the template's address",
  hostDot: 'must not have a host that ends with a dot',
  pathNotBelow: "must have the template's path, or a path below it",
  pathFixed: "must have the template's path",
  pathSegment:
    'must have path segments of 1 to 255 characters, without / \\ ; % and control characters when decoded, other than . and ..',
  parameterFixed: "must not repeat the template's parameter {name}",
  parameterTwice: 'must not have the parameter {name} twice',
  parameterRefused: 'must not have the parameter {name}, which this key does not allow',
  fragmentFixed: "must have the template's fragment, or none",
  lineBreak: 'must not contain line breaks',
  addressInText: 'must not contain a web address or host name',
  imageHost: 'must be an https address on port 443 of one of these hosts: {hosts}',
  templateFault: "can't create links any more: {reasons}",
  fixedData: 'is set by the template; leave it out',
  allowance: 'must be one of {names}, or link.query.NAME',
  tooManyParameters: 'must allow at most {count} parameters by name; allow link.query for any',
  imageHostName: 'must be a host name such as img.example.com, or *.example.com for it and its subdomains',
  tag: `must be 1 to ${limits.tag} letters, digits or any of . _ : / - and begin with a letter or digit`,
  tagList: `must be 1 to ${limits.tagsPerLink} tags separated by commas`,
  tooManyTags: `would give the project more than ${limits.tagsPerProject} tags; use existing ones`,
  idempotencyKey: `must be given once, with 1 to ${limits.idempotencyKey} printable ASCII characters`,
  notWithTags: "can't be given together with tags",
  addedTags: 'must not contain a tag of addTags',
  pageOfWalk: "can't be given with a filter or a cursor; follow nextCursor instead",
  cursor: 'is invalid for these filters; start again with an empty one',
  color: 'must be six hex digits without #, such as 1b1f2a',
  background: 'must be six hex digits without #, such as 1b1f2a, or transparent',
  picture:
    'must be a data URL of a PNG or JPEG image of at most 4 million pixels, such as data:image/png;base64,…',
  opensGrouping: 'supports opens only with groupBy=count and groupBy=timeseries',
} as const;

type Values = Readonly<Record<string, string | number | bigint>>;

const filled = (message: string, values: Values): string =>
  message.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));

export const failureMessage = (name: keyof typeof failureMessages, values: Values = {}): string =>
  filled(failureMessages[name][1], values);

export const failure = (name: keyof typeof failureMessages, values: Values = {}): Failure =>
  new Failure(failureMessages[name][0], failureMessage(name, values));

export const faultMessage = (name: keyof typeof faultMessages, values: Values = {}): string =>
  filled(faultMessages[name], values);

export const fault = (field: string, name: keyof typeof faultMessages, values: Values = {}): Fault => ({
  field,
  message: faultMessage(name, values),
});

export const mobileAppNotFound = () => failure('mobileAppNotFound');
export const invalidApiKey = () => failure('invalidApiKey');
