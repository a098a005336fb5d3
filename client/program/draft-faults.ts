import { checks, faultsShown, messages, type Schema, schemas, withoutNull } from './description.ts';
import { type Check, holds } from './stated-checks.ts';

/** What is wrong with a value, as the API would say it. */
interface Judgement {
  readonly faults: readonly string[];
  /** A part isn't what it must be, so that checks of the whole can't be made. */
  readonly isBroken?: boolean;
}

const draft = withoutNull(schemas.LinkDraft ?? {});

/** Why the API refuses a new link, in its words, as far as that needs no look at what the service has. */
export const draftFault = (link: object): string | undefined => {
  const { faults } = judge(draft, link, '');
  const more = faults.length - faultsShown;
  const told = [...faults.slice(0, faultsShown), ...(more > 0 ? [`and ${more} more`] : [])];
  return told.join('; ') || undefined;
};

const judge = (schema: Schema, value: unknown, path: string): Judgement => {
  const kind = kindOf(schema);
  if (value === undefined) return broken(path, messages.required ?? '');
  if (Array.isArray(schema.enum) && !schema.enum.includes(value))
    return broken(path, filled('kind', { kind: list(schema.enum) }));
  if (!isOf(schema, value)) return broken(path, filled('kind', { kind }));
  // The API reads no list that is too long.
  if (Array.isArray(value) && value.length > Number(schema.maxItems))
    return broken(path, filled('tooManyItems', { count: schema.maxItems }));
  const { faults: inside, isBroken } = partsOf(schema, value, path);
  const own = limitsOf(schema, value);
  const found = [...inside, ...own.map((text) => at(path, text))];
  const stated = checks[String(schema['x-checks'])] ?? [];
  const ended = { isBroken: isBroken === true };
  for (const check of stated) {
    const isDue = isBroken ? check.if === 'always' : check.if !== 'faultless' || found.length === 0;
    if (!isDue) continue;
    const told = tellOf(check, value, schema);
    found.push(...told.map(([where, text]) => at(join(path, where), text)));
    if (check.ends && told.length > 0) ended.isBroken = true;
  }
  return { faults: found, ...ended };
};

const broken = (path: string, text: string): Judgement => ({ faults: [at(path, text)], isBroken: true });

const at = (path: string, text: string): string => `${path}: ${text}`;
const join = (path: string, name: string): string => [path, name].filter(Boolean).join('.');

/** The faults of a check by the places in the value. */
const tellOf = (check: Check, value: unknown, schema: Schema): (readonly [string, string])[] => {
  if (check.first) {
    for (const one of check.first) {
      const told = tellOf(one, value, schema);
      if (told.length > 0) return told;
    }
    return [];
  }
  return holds(check, value).map((place) => [place, filled(check.says ?? '', check)] as const);
};

const partsOf = (schema: Schema, value: unknown, path: string): Judgement => {
  const parts: Judgement[] = [];
  if (schema.items)
    for (const [index, item] of (value as unknown[]).entries())
      parts.push(judge(schema.items, item, join(path, String(index))));
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const part = (value as Record<string, unknown>)[name];
    if (part !== undefined || schema.required?.includes(name))
      parts.push(judge(inner, part, join(path, name)));
  }
  return { faults: parts.flatMap(({ faults }) => faults), isBroken: parts.some(({ isBroken }) => isBroken) };
};

/** What the keywords of a schema refuse. */
const limitsOf = (schema: Schema, value: unknown): string[] => {
  const { maxLength, minItems, minimum, maximum, pattern, 'x-message': said } = schema;
  if (typeof value === 'string')
    return [
      ...(value.length > Number(maxLength ?? Number.POSITIVE_INFINITY)
        ? [filled('tooLong', { count: maxLength })]
        : []),
      ...(maxLength !== undefined && !value.isWellFormed() ? [filled('notWellFormed')] : []),
      // Of a pattern without words of its own, checks tell more.
      ...(said !== undefined && !new RegExp(String(pattern)).test(value) ? [String(said)] : []),
    ];
  if (typeof value === 'number')
    return [
      ...(value < Number(minimum) ? [filled('tooSmall', { limit: minimum })] : []),
      ...(value > Number(maximum) ? [filled('tooLarge', { limit: maximum })] : []),
    ];
  if (!Array.isArray(value)) return [];
  return [
    ...(value.length < Number(minItems)
      ? [filled(Number(minItems) === 1 ? 'empty' : 'tooFewItems', { count: minItems })]
      : []),
  ];
};

/** How messages name what a value must be. */
const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

const kindOf = ({ type }: Schema): string => kinds[String(type)] ?? String(type);

const isOf = ({ type }: Schema, value: unknown): boolean => {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === (type === 'integer' ? 'number' : type);
};

const list = (values: readonly unknown[]): string =>
  values.length < 2 ? String(values[0]) : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;

const filled = (name: string, values: Readonly<Record<string, unknown>> = {}): string =>
  (messages[name] ?? name).replaceAll(/\{(\w+)\}/g, (_, one: string) => String(values[one] ?? ''));
