import { App } from 'aws-cdk-lib';
import * as z from 'zod';
import { alarmNames } from '../lib/alarm-names.ts';
import { kinds, settingsOf } from '../lib/settings.ts';
import { DynamicLinkStack } from '../lib/stack.ts';
import { everyOption } from './stack-pages.ts';

/* The types of construct/ that follow from lists of lib. Written out, they need no zod in an app. */

interface Schema {
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

const typeOf = ({ type, const: one, enum: some, anyOf, items, prefixItems, properties }: Schema): string => {
  // The texts of a setting, which are converted, have no schema.
  const members = anyOf?.map(typeOf).filter((member) => member !== 'unknown');
  if (members) return [...new Set(members)].join(' | ');
  const values = some ?? (one === undefined ? undefined : [one]);
  if (values) return values.map((value) => (typeof value === 'string' ? `'${value}'` : value)).join(' | ');
  if (prefixItems) return `[${prefixItems.map(typeOf).join(', ')}]`;
  if (items) return `readonly ${typeOf(items)}[]`;
  if (properties)
    return `{ ${Object.entries(properties)
      .map(([name, of]) => `${name}: ${typeOf(of)}`)
      .join('; ')} }`;
  return type === 'integer' ? 'number' : (type ?? 'unknown');
};

const settingLine = ([name, kind]: [string, z.ZodType]): string => {
  // The schema is of this shape.
  const schema = z.toJSONSchema(kind, { io: 'output', unrepresentable: 'any' }) as Schema;
  const type = typeOf(schema);
  // Other values have another form in a context, which descriptions are about.
  const note = /^(string|number)$/.test(type) ? `  /** Must be ${kind.description}. */\n` : '';
  return `${note}  readonly ${name}?: ${type} | undefined;`;
};

const union = (names: readonly string[]): string => names.map((name) => `\n  | '${name}'`).join('');

const functionsOf = (settings: Parameters<typeof settingsOf>[0]): string[] => {
  const context = { 'aws:cdk:bundling-stacks': [] };
  const stack = new DynamicLinkStack(new App({ context }), 'Links', { settings: settingsOf(settings) });
  return Object.keys(stack.functions).sort();
};

export const constructTypes = (): string => {
  const always = functionsOf({});
  const optional = functionsOf(everyOption).filter((name) => !always.includes(name));
  return `// Written by \`npm run generate\` from the lists of lib.

/** The settings of docs/settings.md. */
export interface StageSettings {
${Object.entries<z.ZodType>(kinds).map(settingLine).join('\n')}
}

/** The alarms' names: headings of docs/runbook.md. */
export type AlarmName =${union(alarmNames)};

/** The functions of every stack by name: docs/architecture.md lists them. */
export type FunctionName =${union(always)};

/** Functions of some settings. */
export type OptionalFunctionName =${union(optional)};
`;
};
