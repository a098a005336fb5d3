import * as sdk from '@aws-sdk/client-cloudfront';
import type { AwsCall } from './aws-double.ts';

/**
 * Checks requests against the SDK's model of CloudFront's API: its members, their types, required ones and enumerated
 * values. The model has no lengths and no patterns.
 */
type Schema = unknown;
type Structure = readonly [3, string, string, unknown, readonly string[], readonly Schema[], number?];
type List = readonly [1, string, string, unknown, Schema];
type Operation = readonly [9, string, string, { readonly http: readonly [string, string, number] }, Schema];

const boolean = 2;

/** Schemas of members stand in a function, with or without traits behind them. */
const opened = (schema: Schema): { readonly schema: Schema; readonly traits: unknown } => {
  if (typeof schema === 'function') return opened(schema());
  if (!Array.isArray(schema) || typeof schema[1] === 'string') return { schema, traits: 0 };
  return { schema: opened(schema[0]).schema, traits: schema[1] };
};

const isStructure = (schema: Schema): schema is Structure => Array.isArray(schema) && schema[0] === 3;
const isList = (schema: Schema): schema is List => Array.isArray(schema) && schema[0] === 1;

const operations = Object.values(sdk as Record<string, unknown>).filter(
  (one): one is Operation => Array.isArray(one) && one[0] === 9,
);

const operationOf = ({ operation, path }: AwsCall): Operation | undefined => {
  const [method = ''] = operation.split(' ');
  const called = path.split('?')[0] ?? '';
  return operations.find(([, , , { http }]) => {
    const pattern = http[1].split('?')[0]?.replaceAll(/\{\w+\}/g, '[^/]+');
    return http[0] === method && new RegExp(`^${pattern}$`).test(called);
  });
};

/** The faults of a call by CloudFront's own model, each with its path. */
export const faultsOfCall = (call: AwsCall): string[] => {
  const found = operationOf(call);
  if (!found) return [`${call.operation} is no operation`];
  const [, , name, , input] = found;
  const { schema } = opened(input);
  if (!isStructure(schema)) return [`${name} has no members`];
  const [, , , , members, schemas, required = 0] = schema;
  const { searchParams } = new URL(call.path, 'http://cloudfront');
  const body = childrenOf(call.body)[0]?.children ?? [];
  const inBody: string[] = [];
  const faults = members.flatMap((member, index) => {
    const { traits } = opened(schemas[index]);
    const { httpHeader, httpQuery } = (traits || {}) as { httpHeader?: string; httpQuery?: string };
    if (httpHeader === undefined && httpQuery === undefined && traits !== 1) {
      inBody.push(member);
      return [];
    }
    // Labels are parts of the path, by which the operation was found.
    const given = httpHeader ? call.headers[httpHeader.toLowerCase()] : searchParams.get(httpQuery ?? '');
    return traits === 1 || index >= required || given ? [] : [`${name}.${member} is missing`];
  });
  const shape = inBody.map((member) => [member, schemas[members.indexOf(member)]] as const);
  const needed = inBody.filter((member) => members.indexOf(member) < required);
  return [...faults, ...faultsOfMembers(name, { shape, needed }, body)];
};

interface Expected {
  readonly shape: readonly (readonly [string, Schema])[];
  readonly needed: readonly string[];
}

const faultsOfMembers = (where: string, { shape, needed }: Expected, given: readonly Element[]): string[] => [
  ...needed
    .filter((name) => !given.some((one) => one.name === name))
    .map((name) => `${where}.${name} is missing`),
  ...given.flatMap((one) => {
    const known = shape.find(([name]) => name === one.name);
    return known
      ? faultsOfValue(`${where}.${one.name}`, known[1], one)
      : [`${where}.${one.name} is no member`];
  }),
];

const faultsOfValue = (where: string, of: Schema, { name, text, children }: Element): string[] => {
  const { schema } = opened(of);
  if (isStructure(schema)) {
    const [, , , , members, schemas, required = 0] = schema;
    const shape = members.map((member, index) => [member, schemas[index]] as const);
    return faultsOfMembers(where, { shape, needed: members.slice(0, required) }, children);
  }
  if (isList(schema))
    return children.flatMap((one, index) => faultsOfValue(`${where}[${index}]`, schema[4], one));
  if (children.length > 0) return [`${where} is no structure`];
  if (schema === boolean) return /^(true|false)$/.test(text) ? [] : [`${where} is no boolean: ${text}`];
  const choices = (sdk as Record<string, unknown>)[name];
  const isClosed = typeof choices === 'object' && choices !== null && !Array.isArray(choices);
  if (isClosed && !Object.values(choices).includes(text)) return [`${where} can't be ${text}`];
  return text === '' ? [`${where} is empty`] : [];
};

interface Element {
  readonly name: string;
  readonly text: string;
  readonly children: readonly Element[];
}

/** The elements of an XML text as the SDK writes it: without comments, and with text only in leaves. */
const childrenOf = (xml: string): Element[] => {
  const elements: Element[] = [];
  const rest = xml.replace(/^<\?[^>]*\?>/, '');
  for (const [, name = '', , inner = ''] of rest.matchAll(/<(\w+)((?:\s[^>]*)?)>(.*?)<\/\1>/gs))
    elements.push({ name, text: inner.includes('<') ? '' : inner, children: childrenOf(inner) });
  return elements;
};
