import * as z from 'zod';
import { limits } from '../limits.ts';
import { appSections } from '../links/payload-fields.ts';
import type { Contract } from './endpoint.ts';
import { answeredAt, examples } from './examples.ts';
import { api, apiVersion } from './index.ts';
import { failureResponses, type Json, rateLimitHeaders, sharedResponses } from './openapi-failures.ts';

const namesElsewhere = appSections
  .flatMap(({ name, fields }) =>
    Object.entries(fields).map(([field, { savedAs }]) => `| \`${name}.${field}\` | \`${savedAs}\` |`),
  )
  .join('\n');

const info = {
  title: 'Dynamic Link Service: Public API',
  version: apiVersion,
  description: `Short links that lead every visitor to the right place: people with a phone to the store or the app, people at a desk to a website, social networks to a preview. Links can reference mobile apps that are saved once.

### Getting started

Whoever runs the service makes a key for your project (\`npm run -s admin -- key create --project ID\`) and hands it to you. It works at once. The paths below follow the address of the service and \`/1.0\`; on the local stack that is \`http://127.0.0.1:8787/1.0\`.

\`\`\`sh
curl -X POST "$BASE_URL/1.0/links" \\
  -H "X-API-KEY: $API_KEY" -H 'Content-Type: application/json' \\
  -d '{"payload": {"link": "https://example.com/landing"}}'
\`\`\`

Every request carries the key in the header \`X-API-KEY\`. A key sees the links and mobile apps of its own project alone. Keep keys out of client-side code, public repositories and logs.

### Limits

A key may make ${limits.requestsPerHour} requests in each hour. Responses show the limit, what is left and when the hour ends in \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`; responses to requests that the gateway refuses by itself, such as one without a valid key, show the limit alone, and so do those for which the service could not count the request.

### Requests and responses

Responses are \`{"success": true, "data": …}\`. Failures are \`{"success": false, "error": {"code", "message"}}\`; where a mobile app, or a link to be updated, is not there, and where a link to be updated has expired, \`error\` is the message alone.

Query parameters that an endpoint does not describe, or that are given twice, are refused. In request bodies, fields that are not described are ignored, so that a response can be sent back; but a name that is nearly one of the described ones is refused with the right name: \`expires_at\` for \`expiresAt\`, or the name that the same setting has in a mobile app for the one that it has in a link. Responses may get more fields; ignore those that you do not know.

Times in responses are ISO 8601 in UTC. Requests may write them with \`Z\` or an offset such as \`+01:00\`, without seconds, or as a day alone, which means its midnight in UTC.

The same settings have other names in a link than in a mobile app:

| link | mobile app |
| --- | --- |
${namesElsewhere}`,
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

const tags = [
  { name: 'Links', description: 'Short dynamic links.' },
  { name: 'Mobile apps', description: 'Apps that are saved once and referenced by links.' },
  { name: 'Usage', description: 'Where a key stands in its hour.' },
];

const headers = {
  'X-RateLimit-Limit': {
    description: 'Requests allowed per hour.',
    schema: { type: 'integer' },
    example: limits.requestsPerHour,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the current window. Missing if the request could not be counted.',
    schema: { type: 'integer' },
    example: limits.requestsPerHour - 42,
  },
  'X-RateLimit-Reset': {
    description: 'When the window resets. Missing if the request could not be counted.',
    schema: { type: 'string', format: 'date-time' },
    example: '2026-11-20T11:00:00.000Z',
  },
  'Retry-After': {
    description: 'Whole seconds after which a request may succeed.',
    schema: { type: 'integer', minimum: 1 },
    example: 1800,
  },
  'Idempotent-Replayed': {
    description: '`true` where the response repeats that of an earlier call with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  Location: {
    description: 'Path of what was created.',
    schema: { type: 'string', format: 'uri-reference' },
    example: `/${apiVersion}/links/summer`,
  },
};

/** The description as a deployment with a limit of its own serves it. */
export const openApiOf = (requestsPerHour: number): Json => {
  const usedInExamples = 42;
  return JSON.parse(
    JSON.stringify(openApi())
      .replaceAll(new RegExp(`\\b${limits.requestsPerHour}\\b`, 'g'), String(requestsPerHour))
      .replaceAll(
        new RegExp(`\\b${limits.requestsPerHour - usedInExamples}\\b`, 'g'),
        String(Math.max(0, requestsPerHour - usedInExamples)),
      ),
  );
};

/** The description of the API, made of its contracts. */
export const openApi = (): Json => {
  const schemas: Record<string, unknown> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  // In the order of the examples, which tells a story; that of the contracts is their names'.
  for (const operationId of Object.keys(examples) as (keyof typeof api)[]) {
    const contract: Contract = api[operationId];
    const path = paths[contract.path] ?? {};
    paths[contract.path] = path;
    path[contract.method.toLowerCase()] = operation(operationId, contract, schemas);
  }
  return {
    openapi: '3.1.0',
    info,
    // Relative to the description, wherever it is served: below a stage or at a host of its own.
    servers: [
      { url: `../${apiVersion}`, description: 'Where this description is served.' },
      {
        url: `{baseUrl}/${apiVersion}`,
        description: 'Any deployment, for tools that open this description as a file.',
        variables: {
          baseUrl: {
            default: 'http://127.0.0.1:8787',
            description: 'Address of the service, without a slash.',
          },
        },
      },
    ],
    security: [{ apiKey: [] }],
    tags,
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'Key of a project.' },
      },
      headers,
      responses: sharedResponses(),
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
};

type Schemas = Record<string, unknown>;

const operation = (operationId: keyof typeof api, contract: Contract, schemas: Schemas): Json => {
  const example: { params?: Json; query?: Json; body?: unknown; data: unknown } = examples[operationId];
  const { tag, summary, description = `${summary}.`, scope, status } = contract;
  const body = contract.describedBody ?? contract.body;
  return {
    operationId,
    tags: [tag],
    summary,
    description: scope ? `${description}\n\nNeeds the permission \`${scope}\`.` : description,
    parameters: [
      ...parameters('path', contract.params, example.params),
      ...parameters('query', contract.query, example.query),
      ...(contract.idempotent ? [idempotencyKey] : []),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: jsonSchema(body, 'input', schemas),
            examples: { [operationId]: { summary, value: example.body } },
          },
        },
      },
    }),
    responses: { [status]: success(operationId, contract, schemas), ...failureResponses(contract) },
  };
};

const parameters = (place: 'path' | 'query', schema: z.ZodObject | undefined, example: Json = {}): Json[] =>
  Object.entries<z.ZodType>(schema?.shape ?? {}).map(([name, field]) => {
    // What a parameter means, a number, and not how it is spelled.
    const { description, ...shown } = jsonSchema(field, 'output');
    return {
      name,
      in: place,
      required: !field.safeParse(undefined).success,
      ...(description !== undefined && { description }),
      schema: shown,
      example: shown.type === 'integer' ? Number(example[name]) : example[name],
    };
  });

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `A key of your own for a call that you may repeat. For ${limits.rememberedSeconds / 3600} hours the same key with the same body, byte for byte, on the same path answers what the first successful call answered, and creates nothing. Failed calls are not remembered; of a bulk call, a repetition tries the failed links again.`,
  schema: { type: 'string', pattern: `^[\\x20-\\x7e]{1,${limits.idempotencyKey}}$` },
  example: '5f0c8a52-0d0e-4a6e-9d3b-1f2f3c4d5e6f',
};

const success = (operationId: keyof typeof api, contract: Contract, schemas: Schemas): Json => {
  const { summary, result, pagination, timestamp, location } = contract;
  const example: { data: unknown; pagination?: unknown } = examples[operationId];
  const properties = {
    success: { type: 'boolean', const: true },
    data: jsonSchema(result, 'output', schemas),
    ...(pagination && { pagination: jsonSchema(pagination, 'output', schemas) }),
    ...(timestamp && {
      timestamp: { type: 'string', format: 'date-time', description: 'Time of the answer.' },
    }),
  };
  const value = {
    success: true,
    data: example.data,
    ...(pagination && { pagination: example.pagination }),
    ...(timestamp && { timestamp: answeredAt }),
  };
  return {
    description: contract.status === 201 ? 'Created.' : 'Done.',
    headers: {
      ...rateLimitHeaders,
      ...(location && { Location: { $ref: '#/components/headers/Location' } }),
      ...(contract.idempotent && {
        'Idempotent-Replayed': { $ref: '#/components/headers/Idempotent-Replayed' },
      }),
    },
    content: {
      'application/json': {
        schema: { type: 'object', required: Object.keys(properties), properties },
        examples: { [operationId]: { summary, value } },
      },
    },
  };
};

/** A schema as JSON Schema. Those that have an id are put with the shared ones and named. */
const jsonSchema = (schema: z.ZodType, io: 'input' | 'output', schemas: Schemas = {}): Json => {
  const { $schema, $defs, ...made } = z.toJSONSchema(schema, { io, override: simplify }) as Json;
  for (const [name, { id, ...definition }] of Object.entries(($defs ?? {}) as Record<string, Json>)) {
    schemas[name] = renamed(definition);
  }
  return renamed(made) as Json;
};

const renamed = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));

/** Leaves out what only repeats a format or a type. Every whole number here counts something. */
const simplify = ({ jsonSchema: schema }: { jsonSchema: Record<string, unknown> }): void => {
  if (schema.format === 'date-time') delete schema.pattern;
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.propertyNames) delete schema.propertyNames;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) schema.minimum = 0;
};
