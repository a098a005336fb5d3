import type { OutgoingHttpHeaders } from 'node:http';
import type { GatewayResponse } from '../assembly/assembly.ts';

export interface ProxyResponse {
  readonly statusCode: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Buffer;
}

/** Why the gateway responds without calling the function. */
export interface Refusal {
  readonly type: ResponseType;
  readonly message: string | null;
  readonly statusCode?: number;
}

/** Values for `$context.…` and header mappings. */
interface RefusalContext {
  readonly requestId: string;
  readonly extendedRequestId: string;
  header(name: string): string | undefined;
  /** The members of `requestContext` that are known by then. */
  readonly values: Readonly<Record<string, unknown>>;
}

type ResponseType = keyof typeof kinds;

const kinds = {
  MISSING_AUTHENTICATION_TOKEN: { statusCode: 403, errorType: 'MissingAuthenticationTokenException' },
  UNAUTHORIZED: { statusCode: 401, errorType: 'UnauthorizedException' },
  ACCESS_DENIED: { statusCode: 403, errorType: 'AccessDeniedException' },
  UNSUPPORTED_MEDIA_TYPE: { statusCode: 415, errorType: 'BadRequestException' },
  REQUEST_TOO_LARGE: { statusCode: 413, errorType: undefined },
  INVALID_API_KEY: { statusCode: 403, errorType: 'ForbiddenException' },
  AUTHORIZER_CONFIGURATION_ERROR: { statusCode: 500, errorType: 'AuthorizerConfigurationException' },
  INTEGRATION_TIMEOUT: { statusCode: 504, errorType: 'IntegrationTimeoutException' },
  DEFAULT_4XX: { statusCode: 400, errorType: 'BadRequestException' },
  DEFAULT_5XX: { statusCode: 500, errorType: 'InternalServerErrorException' },
} as const;

type Part = string | ((refusal: Refusal, context: RefusalContext) => string);

interface Shape {
  readonly statusCode?: number;
  readonly contentType: string;
  readonly body: readonly Part[];
  readonly headers: readonly (readonly [string, Part])[];
}

export type Refuse = (refusal: Refusal, context: RefusalContext) => ProxyResponse;

/** The response for a refusal, in the API's shape; types without one fall back to DEFAULT_4XX or DEFAULT_5XX. */
export function createRefusals(responses: Readonly<Record<string, GatewayResponse>>): Refuse {
  const shapes = new Map(Object.entries(responses).map(([type, response]) => [type, shapeOf(response)]));
  return (refusal, context) => {
    const { statusCode: usual, errorType } = kinds[refusal.type];
    const shape = shapes.get(refusal.type) ?? shapes.get(usual < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
    const { contentType, body, headers } = shape ?? defaultShape;
    const fill = (part: Part) => (typeof part === 'string' ? part : part(refusal, context));
    return {
      statusCode: shape?.statusCode ?? refusal.statusCode ?? usual,
      headers: {
        'content-type': contentType,
        ...(errorType && { 'x-amzn-errortype': errorType }),
        ...Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), fill(value)])),
      },
      // AWS spells the member in upper case for this one type.
      body: shape || refusal.type !== 'ACCESS_DENIED' ? body.map(fill).join('') : deniedBody(refusal),
    };
  };
}

function shapeOf({ statusCode, headers, templates }: GatewayResponse): Shape {
  const [contentType, template] =
    Object.entries(templates).find(([type]) => type === 'application/json') ??
    Object.entries(templates)[0] ??
    defaultTemplate;
  return {
    ...(statusCode !== undefined && { statusCode }),
    contentType,
    body: parseTemplate(template),
    headers: Object.entries(headers).map(([name, value]): [string, Part] => [name, parseHeader(value)]),
  };
}

const defaultTemplate: [string, string] = ['application/json', '{"message":$context.error.messageString}'];
const defaultShape: Shape = {
  contentType: defaultTemplate[0],
  body: parseTemplate(defaultTemplate[1]),
  headers: [],
};

function deniedBody({ message }: Refusal): string {
  return JSON.stringify({ Message: message });
}

/** Splits once, so that a value that looks like a variable is never expanded again. */
function parseTemplate(template: string): Part[] {
  return template
    .split(/(\$(?:context|stageVariables|method)\.[A-Za-z0-9_.-]*[A-Za-z0-9_-])/)
    .map((text, index) => (index % 2 === 0 ? text : variable(text.slice(1))));
}

/** `'static text'`, `method.request.header.Name` or `context.requestId`. */
function parseHeader(mapping: string): Part {
  return mapping.startsWith("'") && mapping.endsWith("'") && mapping.length > 1
    ? mapping.slice(1, -1)
    : variable(mapping);
}

function variable(path: string): Part {
  if (path === 'context.error.message') return ({ message }) => message ?? '';
  if (path === 'context.error.messageString') return ({ message }) => JSON.stringify(message);
  if (path === 'context.error.responseType') return ({ type }) => type;
  if (path === 'context.requestId') return (_refusal, context) => context.requestId;
  if (path === 'context.extendedRequestId') return (_refusal, context) => context.extendedRequestId;
  const header = path.match(/^method\.request\.header\.(.+)$/)?.[1];
  if (header) return (_refusal, context) => context.header(header) ?? '';
  const names = path.split('.').slice(1);
  return (_refusal, { values }) => {
    let value: unknown = values;
    for (const name of names) value = (value as Record<string, unknown> | null | undefined)?.[name];
    return value === undefined || value === null ? '' : String(value);
  };
}
