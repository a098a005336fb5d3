import openApi from '../../docs/openapi.json' with { type: 'json' };

/** A JSON Schema, as far as the description uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

const { paths, components } = openApi as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

interface Described {
  readonly operationId: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

const { schemas } = components;

export type DescribedOperation = ReturnType<typeof operation>;

/** An operation of the API, by its id. */
export const operation = (id: string) => {
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, described] of Object.entries(methods)) {
      if (described.operationId !== id) continue;
      const { requestBody, parameters, ...rest } = described;
      const body = requestBody?.content['application/json'].schema;
      return {
        ...rest,
        method: method.toUpperCase(),
        path,
        parameters: parameters.map((one) => ({ ...one, schema: resolved(one.schema) })),
        body: body && resolved(body),
      };
    }
  }
  throw new Error(`The description has no operation ${id}`);
};

/** A schema with its references resolved. The API has no recursive schema. */
const resolved = (schema: Schema): Schema => {
  const { $ref, ...own } = schema;
  const { description, ...named } = schemas[$ref?.split('/').at(-1) ?? ''] ?? {};
  return mapSchema({ ...named, ...own }, resolved);
};

/** The schema with each nested schema changed. */
export const mapSchema = (schema: Schema, change: (inner: Schema) => Schema): Schema => ({
  ...schema,
  ...(schema.properties && {
    properties: Object.fromEntries(
      Object.entries(schema.properties).map(([name, inner]) => [name, change(inner)]),
    ),
  }),
  ...(schema.items && { items: change(schema.items) }),
  ...(schema.anyOf && { anyOf: schema.anyOf.map(change) }),
});

/** An optional field's schema without null, which means the same as omitting it. */
export const withoutNull = (schema: Schema): Schema => {
  const { anyOf, ...rest } = mapSchema(schema, withoutNull);
  const others = anyOf?.filter(({ type }) => type !== 'null');
  if (!others) return rest;
  return others.length === 1 ? { ...rest, ...others[0] } : { ...rest, anyOf: others };
};
