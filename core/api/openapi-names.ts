import { dimensionTexts } from '../analytics/dimension-texts.ts';
import { dimensionNames, dimensions } from '../analytics/dimensions.ts';
import { appFields, appPlatforms, identifierOf, namedAppFields } from '../apps/app-fields.ts';
import { parts, type Schema, type TextRows } from './openapi-parts.ts';

export type Schemas = Record<string, Schema>;

export const capitalized = (name: string): string =>
  name.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());

const ofDimensions = dimensionNames.map((name) => [name, capitalized(dimensions[name].field)] as const);
const forms: TextRows = {
  ...parts.forms,
  ...Object.fromEntries(ofDimensions.map(([name, by]) => [`GroupedAnalytics.${name}`, `AnalyticsBy${by}`])),
};
/** Descriptions of schemas, fields, and fields of one owner. */
export const describedWords: TextRows = {
  ...parts.words,
  ...Object.fromEntries(namedAppFields.map(([name, { about }]) => [`MobileApp.${name}`, about])),
  ...Object.fromEntries(
    ofDimensions.flatMap(([name, by]) => {
      const { field } = dimensions[name];
      const says = `${dimensionTexts[name].says}.`;
      return [
        [`AnalyticsBy${by}`, `Clicks by ${field}.`],
        [`${by}Clicks`, `Clicks of one ${field}.`],
        [`${by}Clicks.${field}`, says],
        [`Click.${field}`, says],
      ];
    }),
  ),
};

/** A schema's identity: everything except its texts. */
const shapeOf = (schema: Schema): string =>
  JSON.stringify(schema, (key, value) =>
    (key === 'description' && typeof value === 'string') || (key === 'examples' && Array.isArray(value))
      ? undefined
      : value,
  );

/** Names schemas by their place, and collects them. Equal schemas share a name. */
export const namer = (schemas: Schemas) => {
  const known = new Map<string, string>();

  const add = (schema: Schema, candidates: readonly string[]): Schema => {
    const name = known.get(shapeOf(schema)) ?? candidates.find((one) => !(one in schemas));
    if (!name) throw new Error(`openapi-parts.json needs another name for ${candidates.join(', ')}`);
    known.set(shapeOf(schema), name);
    schemas[name] ??= worded(name, schema, schemas);
    return { $ref: `#/components/schemas/${name}` };
  };

  /** A schema with references to the named schemas inside it. */
  const within = (schema: Schema, owner: string, field = ''): Schema => ({
    ...schema,
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, inner]) => [name, place(inner, owner, name)]),
      ),
    }),
    ...(schema.items && { items: place(schema.items, owner, field, true) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map((one) => place(one, owner, field, true)) }),
  });

  /** A schema in a field of its owner: a reference if it has a name. */
  const place = (schema: Schema, owner: string, field: string, isPart = false): Schema => {
    const { description, properties, enum: choices } = schema;
    const form = isPart ? undefined : forms[`${owner}.${field}`];
    const chosen = [parts.names[`${owner}.${field}`] ?? parts.names[field] ?? []].flat();
    const [suffix = ''] = (properties && /(Draft|Patch)$/.exec(owner)) ?? [];
    const candidates = [
      ...chosen.map((name) => name.replace(suffix, '') + suffix),
      owner + capitalized(field),
    ];
    const expected = candidates.find((name) => !(name in schemas)) ?? '';
    const whole = within(schema, properties ? expected : owner, field);
    if (!form && !properties && !(choices && chosen.length > 0) && !known.has(shapeOf(whole))) return whole;
    const made = add(whole, form ? [form] : candidates);
    const named = schemas[String(made.$ref).split('/').at(-1) ?? '']?.description;
    return { ...made, ...(description && description !== named && { description }) };
  };

  /** Adds a schema under a given name. */
  const register = (name: string, given: Schema): void => {
    const schema = within(name === 'MobileAppDraft' ? byPlatform(given) : given, name);
    known.set(shapeOf(schema), name);
    schemas[name] = worded(name, schema, schemas);
  };
  return { add, place, register };
};

/** A schema with descriptions of itself and its fields. Descriptions of a draft's fields also apply. */
const worded = (name: string, schema: Schema, schemas: Schemas): Schema => {
  const draft = schemas[`${name}Draft`]?.properties;
  const fields = Object.entries(schema.properties ?? {}).map(([field, one]) => {
    const refers = [one, ...(one.anyOf ?? [])].some(({ $ref }) => $ref);
    const described =
      draft?.[field]?.description ?? describedWords[`${name}.${field}`] ?? describedWords[field];
    return [field, { ...(described && !refers && { description: described }), ...one }] as const;
  });
  const description =
    describedWords[name] ?? describedWords[name.replace(/(Draft|Patch)$/, '')] ?? schema.description;
  return {
    ...schema,
    ...(description && { description }),
    ...(schema.properties && { properties: Object.fromEntries(fields) }),
  };
};

/** A new app's fields by platform. Those of the other platform can only be null. */
const byPlatform = ({ properties = {}, required = [] }: Schema): Schema => ({
  anyOf: appPlatforms.map((platform) => {
    const identifier = identifierOf(platform);
    const fields = Object.entries(properties).map(([name, { anyOf = [], ...field }]) => {
      const own: TextRows<{ readonly platform: string }> = appFields;
      if (name === 'platform') return [name, { type: 'string', const: platform }];
      if (name === identifier) return [name, { ...anyOf[0], ...field }];
      const isForeign = own[name] && own[name].platform !== platform;
      return [name, { ...field, ...(isForeign ? { type: 'null' } : anyOf.length > 0 && { anyOf }) }];
    });
    return { type: 'object', properties: Object.fromEntries(fields), required: [...required, identifier] };
  }),
});
