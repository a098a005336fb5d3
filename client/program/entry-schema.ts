import { Ajv, type ErrorObject } from 'ajv';
import { mapSchema, operation, type Schema, withoutNull } from './description.ts';

/*
 * The schema of a file of links: names and types of the API's own schema of a new link, except fields of creations
 * only. The service validates the values (`validation.ts`).
 */

/** Refuses unknown names: a misspelt field would clear the right one. */
const closed = (schema: Schema): Schema => {
  const { type, properties: names, items } = mapSchema(schema, closed);
  const inner: Schema = {
    ...(type && { type }),
    ...(names && { properties: names }),
    ...(items && { items }),
  };
  if (!inner.properties) return inner;
  const { saveApp, appName, ...properties } = inner.properties;
  return { ...inner, properties, additionalProperties: false };
};

const described = withoutNull(operation('createLink').body ?? {});
const draft = closed(described);
const { code, tags = {}, payload = {}, ...others } = draft.properties ?? {};

/** Pattern of entries' names, which are codes. */
export const codePattern = new RegExp(String(described.properties?.code?.pattern));

const status: Schema = { type: 'string', enum: ['ACTIVE', 'PAUSED'] };
const entry: Schema = { ...draft, properties: { ...others, tags, payload, status } };

const file: Schema = {
  type: 'object',
  properties: {
    owner: { type: 'string', pattern: '^[a-z0-9-]{1,24}$' },
    defaults: {
      type: 'object',
      properties: { tags, payload },
      additionalProperties: false,
    },
    links: { type: 'object', additionalProperties: entry },
  },
  required: ['owner'],
  additionalProperties: false,
};

const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false, verbose: true });

const validate = ajv.compile(file);

/** The faults of a file, each with its path and a colon. */
export const fileFaults = (value: unknown): string[] => {
  validate(value);
  return [...new Set((validate.errors ?? []).map(faultOf))];
};

const faultOf = ({ instancePath, keyword, params, message, parentSchema }: ErrorObject): string => {
  const path = instancePath.replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  if (keyword === 'additionalProperties') {
    const known = Object.keys((parentSchema as Schema | undefined)?.properties ?? {}).join(', ');
    return `${path}.${params.additionalProperty}: is unknown; known are ${known}`;
  }
  if (keyword === 'required') return `${path}.${params.missingProperty}: is required`;
  if (keyword === 'enum') return `${path}: must be one of ${params.allowedValues.join(', ')}`;
  return `${path}: ${message}`;
};
