import { isDeepStrictEqual } from 'node:util';
import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import type { Property } from '@aws-cdk/service-spec-types';

const spec = loadAwsServiceSpecSync();

type Json = Readonly<Record<string, unknown>>;
export interface StoredTemplate {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: Json }>>;
}

/** Versions of functions and of the API's deployment have another id for every change, by design. */
const renewed = /^AWS::(Lambda::Version|ApiGateway::Deployment)$/;

/** Resources of a former template that an update deletes or replaces: by their type, id, or a property. */
export const replacements = (former: StoredTemplate, now: StoredTemplate): string[] =>
  Object.entries(former.Resources).flatMap(([id, { Type, Properties = {} }]) => {
    const present = now.Resources[id];
    if (!present) {
      const start = id.replace(/[0-9a-f]{32}$/, '');
      const isRenewed =
        renewed.test(Type) && Object.keys(now.Resources).some((other) => other.startsWith(start));
      return isRenewed ? [] : [`${id} (${Type}) is gone`];
    }
    if (present.Type !== Type) return [`${id} (${Type}) becomes ${present.Type}`];
    const [resource] = spec.lookup('resource', 'cloudFormationType', 'equals', Type);
    if (!resource) return [`${id}: ${Type} is no resource type`];
    return replacing(resource.properties, Properties, present.Properties ?? {}).map(
      (name) => `${id} (${Type}) is replaced by ${name}`,
    );
  });

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The changed properties that may replace their resource, nested ones as `Outer.Inner`. */
const replacing = (known: Readonly<Record<string, Property>>, before: Json, after: Json): string[] =>
  Object.entries(known).flatMap(([name, { type, causesReplacement = 'no' }]) => {
    const [one, other] = [before[name], after[name]];
    if (isDeepStrictEqual(one, other)) return [];
    if (causesReplacement !== 'no') return [name];
    if (type.type !== 'ref' || !isObject(one) || !isObject(other)) return [];
    const { properties } = spec.get('typeDefinition', type.reference.$ref);
    return replacing(properties, one, other).map((inner) => `${name}.${inner}`);
  });
