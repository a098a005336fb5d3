import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { appSections, sectionSettings } from '../apps/app-fields.ts';
import { limits } from '../base/limits.ts';
import { sentBack } from '../fields/other-names.ts';
import { eachSplit } from '../figures/splits.ts';
import { type Contract, statusOf } from './endpoint.ts';
import { answeredAt, exampleUsed } from './examples.ts';
import { api, apiVersion } from './index.ts';
import {
  failureResponses,
  headersOf,
  type Response,
  type Schema,
  sharedResponses,
} from './openapi-failures.ts';
import { tags } from './tags.ts';

const namesElsewhere = [
  ['link', 'mobile app'],
  ['---', '---'],
  ...appSections.flatMap(({ name }) =>
    sectionSettings(name).flatMap(([field, { saved }]) =>
      saved ? [[`\`${name}.${field}\``, `\`${saved.as}\``]] : [],
    ),
  ),
]
  .map((cells) => `| ${cells.join(' | ')} |`)
  .join('\n');

const info = {
  title: 'Dynamic Link Service: Public API',
  version: apiVersion,
  description: readFileSync(path.join(import.meta.dirname, 'introduction.md'), 'utf8')
    .trimEnd()
    .replace('REQUESTS_PER_HOUR', String(limits.requestsPerHour))
    .replace('NAMES_ELSEWHERE', namesElsewhere),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

const headers = {
  'X-RateLimit-Limit': {
    description: 'Requests allowed per hour.',
    schema: { type: 'integer' },
    example: limits.requestsPerHour,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the current hour. Missing if the request could not be counted.',
    schema: { type: 'integer' },
    example: limits.requestsPerHour - exampleUsed,
  },
  'X-RateLimit-Reset': {
    description: 'When the hour ends. Missing if the request could not be counted.',
    schema: { type: 'string', format: 'date-time' },
    example: '2026-11-20T11:00:00.000Z',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 1 },
    example: 1800,
  },
  'Idempotent-Replayed': {
    description: '`true` if the response is that of an earlier call with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  Location: {
    description: 'Path of the new resource.',
    schema: { type: 'string', format: 'uri-reference' },
    example: `/${apiVersion}/links/summer`,
  },
};

/** The description as served by a deployment with its own limit. */
export const openApiOf = (requestsPerHour: number): ReturnType<typeof openApi> =>
  JSON.parse(
    JSON.stringify(openApi())
      .replaceAll(new RegExp(`\\b${limits.requestsPerHour}\\b`, 'g'), String(requestsPerHour))
      .replaceAll(
        new RegExp(`\\b${limits.requestsPerHour - exampleUsed}\\b`, 'g'),
        String(Math.max(0, requestsPerHour - exampleUsed)),
      ),
  );

/** The API's description, generated from its contracts. */
export const openApi = () => {
  const schemas: Schemas = {};
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const [operationId, contract] of Object.entries<Contract>(api).sort(inOrder)) {
    const path = paths[contract.path] ?? {};
    paths[contract.path] = path;
    path[contract.method.toLowerCase()] = operation(operationId, contract, schemas);
  }
  return {
    openapi: '3.1.0',
    info,
    // Relative to the description, so that it works below a stage and on a custom domain.
    servers: [
      { url: `../${apiVersion}`, description: 'Where this description is served.' },
      {
        url: `{baseUrl}/${apiVersion}`,
        description: 'Any deployment, for tools that open this document as a file.',
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
    // For programs, such as the client's types: what entries of groupings are called, and what a click says in events.
    'x-splits': eachSplit(({ field, says, storesAll }) => ({ field, says, optional: !storesAll })),
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

const methods = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'];
const tagNames = tags.map(({ name }) => name);

/** By tag, then path, each from create to delete. */
const inOrder = ([, a]: [string, Contract], [, b]: [string, Contract]): number =>
  tagNames.indexOf(a.tag) - tagNames.indexOf(b.tag) ||
  (a.path === b.path ? methods.indexOf(a.method) - methods.indexOf(b.method) : a.path < b.path ? -1 : 1);

type Schemas = Record<string, Schema>;
export type OpenApiOperation = ReturnType<typeof operation>;

const operation = (operationId: string, contract: Contract, schemas: Schemas) => {
  const { example, tag, summary, description = `${summary}.`, scope } = contract;
  const body = contract.describedBody ?? contract.body;
  const done = success(operationId, contract, schemas);
  const responses: Record<string, Response> = { [statusOf(contract)]: done, ...failureResponses(contract) };
  return {
    operationId,
    tags: [tag],
    summary,
    description: scope ? `${description}\n\nNeeds the permission \`${scope}\`.` : description,
    parameters: [
      ...parameters('path', contract.params, schemas, example.params),
      ...parameters('query', contract.query, schemas, example.query),
      ...(contract.idempotent ? [idempotencyKey] : []),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          ['application/json', ...(contract.bodyTypes ?? [])].map((type) => [
            type,
            {
              schema: jsonSchema(body, 'input', schemas),
              examples: { [operationId]: { summary, value: example.body } },
            },
          ]),
        ),
      },
    }),
    responses,
  };
};

const parameters = (
  place: 'path' | 'query',
  schema: z.ZodObject | undefined,
  schemas: Schemas,
  example: Readonly<Record<string, string>> = {},
) =>
  Object.entries<z.ZodType>(schema?.shape ?? {}).map(([name, field]) => {
    // By what a parameter is read as: a number, not the text that a query has.
    const { description, ...shown } = jsonSchema(field, 'output', schemas);
    return {
      name,
      in: place,
      required: !field.safeParse(undefined).success,
      ...(description !== undefined && { description }),
      schema: shown,
      // Values of a list are separated by commas.
      ...('anyOf' in shown && { explode: false }),
      ...(name in example && {
        example: shown.type === 'integer' ? Number(example[name]) : example[name],
      }),
    };
  });

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `A key that you choose to make the call safe to retry. For ${limits.rememberedSeconds / 3600} hours, a call with the same key, path and body (byte for byte) gets the response of the first successful call and creates nothing. Failed calls are not remembered. A retried bulk call tries its failed links again.`,
  schema: { type: 'string', pattern: `^[\\x20-\\x7e]{1,${limits.idempotencyKey}}$` },
  example: '5f0c8a52-0d0e-4a6e-9d3b-1f2f3c4d5e6f',
};

const success = (operationId: string, contract: Contract, schemas: Schemas): Response => {
  const { example, summary, result, pagination, timestamp, location } = contract;
  const properties = {
    success: { type: 'boolean', const: true },
    data: jsonSchema(result, 'output', schemas),
    ...(pagination && { pagination: jsonSchema(pagination, 'output', schemas) }),
    ...(timestamp && {
      timestamp: { type: 'string', format: 'date-time', description: 'Time of the response.' },
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
    headers: headersOf(location && 'Location', contract.idempotent && 'Idempotent-Replayed'),
    content: {
      'application/json': {
        schema: { type: 'object', required: Object.keys(properties), properties },
        examples: { [operationId]: { summary, value } },
      },
    },
  };
};

/** A schema as JSON Schema. Schemas with an id move to the shared ones and are referenced by name. */
const jsonSchema = (schema: z.ZodType, io: 'input' | 'output', schemas: Schemas = {}): Schema => {
  const { $schema, $defs, ...made } = z.toJSONSchema(schema, { io, override: simplify });
  for (const [name, { id, ...definition }] of Object.entries($defs ?? {}))
    schemas[name] = renamed(definition);
  return renamed(made);
};

const renamed = (schema: object): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));

type Simplify = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

/** Drops what only repeats a format or a type. Every integer here is a count. */
const simplify: Simplify = ({ zodSchema, jsonSchema: schema }) => {
  if (schema.format === 'date-time') delete schema.pattern;
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.propertyNames) delete schema.propertyNames;
  if (zodSchema instanceof z.ZodObject)
    for (const [name, field] of Object.entries(zodSchema.shape))
      if (field === sentBack) delete schema.properties?.[name];
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) schema.minimum = 0;
};
