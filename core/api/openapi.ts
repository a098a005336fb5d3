import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { dimensionTexts } from '../analytics/dimension-texts.ts';
import { eachDimension } from '../analytics/dimensions.ts';
import { appSections, sectionSettings } from '../apps/app-fields.ts';
import { limits } from '../base/limits.ts';
import { sentBack } from '../fields/other-names.ts';
import { type Contract, statusOf } from './endpoint.ts';
import { answeredAt, exampleUsed } from './examples.ts';
import { api, apiVersion } from './index.ts';
import { failureResponses, headersOf, type Response, sharedResponses } from './openapi-failures.ts';
import { capitalized, describedWords, namer, type Schemas } from './openapi-names.ts';
import { parts, type Schema, type TextRows } from './openapi-parts.ts';
import { eventWebhooks, exampleClick } from './openapi-webhooks.ts';

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

const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8'));

const info = {
  ...parts.info,
  // A semantic version, because generators may use it for packages.
  version: `${apiVersion}+service.${version}`,
  description: readFileSync(path.join(import.meta.dirname, 'introduction.md'), 'utf8')
    .trimEnd()
    .replace('REQUESTS_PER_HOUR', String(limits.requestsPerHour))
    .replace('NAMES_ELSEWHERE', namesElsewhere),
};

/** The description for a deployment with its own limit. */
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
  const naming = namer(schemas);
  for (const [name, schema] of Object.entries(parts.failureSchemas)) naming.register(name, schema);
  const describe: Describe = {
    ...naming,
    schemas,
    of: (schema, io, ...where) => naming.place(jsonSchema(schema, io, naming.register), ...where),
  };
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const [operationId, contract] of Object.entries<Contract>(api).sort(inOrder)) {
    const path = paths[contract.path] ?? {};
    paths[contract.path] = path;
    path[contract.method.toLowerCase()] = operation(operationId, contract, describe);
  }
  const webhooks = eventWebhooks(schemas, naming);
  return {
    openapi: '3.1.0',
    info,
    // The first server is relative to the description, so that it works below a stage and on a custom domain.
    servers: parts.servers,
    security: [{ apiKey: [] }],
    tags: parts.tags,
    // For programs, such as the client's types: field names of groupings, and clicks' values in events.
    'x-splits': eachDimension(({ field, storesAll }, name) => ({
      field,
      says: dimensionTexts[name].says,
      optional: !storesAll,
    })),
    paths,
    webhooks,
    components: {
      securitySchemes: parts.securitySchemes,
      headers: parts.headers,
      responses: sharedResponses(),
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
};

const methods = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'];
const tagNames = parts.tags.map(({ name }) => name);

/** Sorts operations by tag, then path, then from create to delete. */
const inOrder = ([, a]: [string, Contract], [, b]: [string, Contract]): number =>
  tagNames.indexOf(a.tag) - tagNames.indexOf(b.tag) ||
  (a.path === b.path ? methods.indexOf(a.method) - methods.indexOf(b.method) : a.path < b.path ? -1 : 1);

/** Describes schemas, and names them by their place. */
interface Describe extends ReturnType<typeof namer> {
  readonly schemas: Schemas;
  readonly of: (schema: z.ZodType, io: 'input' | 'output', owner: string, field: string) => Schema;
}

export type OpenApiOperation = ReturnType<typeof operation>;

const operation = (operationId: string, contract: Contract, describe: Describe) => {
  const { example, tag, summary, scope } = contract;
  const { description = describedWords[operationId] ?? `${summary}.` } = contract;
  const body = contract.describedBody ?? contract.body;
  const done = success(operationId, contract, describe);
  const responses: Record<string, Response> = {
    [statusOf(contract)]: done,
    ...(contract.newIf !== undefined && { 200: done }),
    ...failureResponses(contract),
  };
  return {
    operationId,
    tags: [tag],
    summary,
    ...(scope && { 'x-required-scopes': [scope] }),
    description: scope ? `${description}\n\nNeeds the scope \`${scope}\`.` : description,
    parameters: [
      ...parameters('path', operationId, contract, describe),
      ...parameters('query', operationId, contract, describe),
      ...(contract.idempotent ? [parts.idempotencyKey] : []),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          ['application/json', ...(contract.bodyTypes ?? [])].map((type) => [
            type,
            {
              schema: describe.of(body, 'input', capitalized(operationId), 'body'),
              examples: { [operationId]: { summary, value: example.body } },
            },
          ]),
        ),
      },
    }),
    responses,
  };
};

const parameters = (place: 'path' | 'query', id: string, contract: Contract, describe: Describe) => {
  const schema = place === 'path' ? contract.params : contract.query;
  const example = (place === 'path' ? contract.example.params : contract.example.query) ?? {};
  return Object.entries<z.ZodType>(schema?.shape ?? {}).map(([name, field]) => {
    // The type of the parsed parameter: a number, although a query has text.
    const { description: own, ...shown } = describe.of(field, 'output', capitalized(id), name);
    const description = own ?? describedWords[`${capitalized(id)}.${name}`] ?? describedWords[name];
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
};

const success = (operationId: string, contract: Contract, describe: Describe): Response => {
  const { example, summary, result, pagination, timestamp, location } = contract;
  const owner = capitalized(operationId);
  const data = describe.of(result, 'output', owner, 'data');
  const name = data.$ref?.split('/').at(-1) ?? owner;
  const properties = {
    success: { type: 'boolean', const: true, description: 'The call succeeded.' },
    data: { description: 'The result.', ...data },
    ...(pagination && { pagination: describe.of(pagination, 'output', owner, 'pagination') }),
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
  const description = describe.schemas[name]?.description ?? `${summary}.`;
  const isPart = (name: string) => name !== 'pagination' || !pagination?.safeParse(undefined).success;
  const required = Object.keys(properties).filter(isPart);
  const shape = { type: 'object', description, required, properties };
  return {
    description,
    headers: headersOf(
      location && 'Location',
      contract.idempotent && 'Idempotent-Replayed',
      contract.body && 'X-Ignored-Fields',
    ),
    content: {
      'application/json': {
        schema: describe.add(shape, [`${name}Response`, `${owner}Response`]),
        examples: {
          [operationId]: { summary, value },
          ...Object.fromEntries(
            Object.entries(moreData[operationId] ?? {}).map(([kind, data]) => [
              kind,
              { summary: `${summary}: ${kind}`, value: { ...value, data } },
            ]),
          ),
        },
      },
    },
  };
};

/** Further examples of results. */
const moreData: TextRows<TextRows<unknown>> = {
  getAnalytics: {
    ...parts.analytics,
    ...eachDimension(({ field }) => [{ [field]: exampleClick[field], clicks: 3 }]),
  },
};

/** A schema as JSON Schema. Schemas with an id move to the shared ones and are referenced by name. */
const jsonSchema = (schema: z.ZodType, io: 'input' | 'output', register: Describe['register']): Schema => {
  const { $schema, $defs, ...made } = z.toJSONSchema(schema, { io, override: simplify });
  for (const [name, { id, ...definition }] of Object.entries($defs ?? {}))
    register(name, renamed(definition));
  return renamed(made);
};

const renamed = (schema: object): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));

type Simplify = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

/** Drops keywords that only repeat a format or a type. Every integer here is a count. */
const simplify: Simplify = ({ zodSchema, jsonSchema: schema }) => {
  if (schema.format === 'date-time') delete schema.pattern;
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (!JSON.stringify(schema.propertyNames ?? '').includes('pattern')) delete schema.propertyNames;
  if (zodSchema instanceof z.ZodObject)
    for (const [name, field] of Object.entries(zodSchema.shape))
      if (field === sentBack) delete schema.properties?.[name];
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) schema.minimum = 0;
};
