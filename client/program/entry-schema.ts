import { Ajv, type ErrorObject } from 'ajv';
import { mapSchema, type Schema, schemas, withoutNull } from './description.ts';

/* What a file of links may contain: the API's own schema of a new link, but for what only a creation can have. */

/** Nothing may be misspelt, because what an entry lacks is cleared. */
const closed = (schema: Schema): Schema => {
  const inner = mapSchema(schema, closed);
  if (!inner.properties) return inner;
  const { saveApp, appName, ...properties } = inner.properties;
  return { ...inner, properties, additionalProperties: false };
};

const draft = closed(withoutNull(schemas.LinkDraft ?? {}));
const { code, tags = {}, payload = {}, ...others } = draft.properties ?? {};
const status: Schema = { type: 'string', enum: ['ACTIVE', 'PAUSED'] };
const link: Schema = {
  ...draft,
  properties: { ...others, tags, payload, status },
};

/** The same as it is written: what it lacks may be in the defaults. */
const { required: _, ...anyPayload } = payload;
const written: Schema = {
  ...link,
  properties: { ...link.properties, payload: anyPayload },
  required: [],
};

const file: Schema = {
  type: 'object',
  properties: {
    owner: { type: 'string', pattern: '^[a-z0-9-]{1,24}$' },
    defaults: {
      type: 'object',
      properties: { tags, payload: anyPayload },
      additionalProperties: false,
    },
    links: { type: 'object', additionalProperties: written },
  },
  required: ['owner'],
  additionalProperties: false,
};

const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false, verbose: true });

const mostTags = 10;

/** The faults of a value, each with its path and a colon. */
const checked = (schema: Schema) => {
  const validate = ajv.compile(schema);
  return (value: unknown): string[] => {
    validate(value);
    return [...new Set((validate.errors ?? []).map(faultOf))];
  };
};

const checkLink = checked(link);

export const faultsOf = {
  /** A file as it is written. */
  file: checked(file),
  /** An entry with the defaults. */
  link: (entry: { readonly tags?: readonly string[] }): string[] => {
    const count = new Set(entry.tags?.map((tag) => tag.toLowerCase())).size;
    const tooMany =
      count > mostTags ? [`.tags: at most ${mostTags}, with the owner's and the defaults'`] : [];
    return [...checkLink(entry), ...tooMany];
  },
};

const faultOf = ({ instancePath, keyword, params, message, parentSchema }: ErrorObject): string => {
  const path = instancePath.replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  if (keyword === 'additionalProperties') {
    const known = Object.keys((parentSchema as Schema | undefined)?.properties ?? {}).join(', ');
    return `${path}.${params.additionalProperty}: is unknown; known are ${known}`;
  }
  if (keyword === 'required') return `${path}.${params.missingProperty}: is required`;
  if (keyword === 'enum') return `${path}: must be one of ${params.allowedValues.join(', ')}`;
  // A pattern alone tells few people what is missing.
  const { description } = (parentSchema ?? {}) as Schema;
  const meaning = keyword === 'pattern' && description ? ` (${description})` : '';
  return `${path}: ${message}${meaning}`;
};
