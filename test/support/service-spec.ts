import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import type { Property, PropertyType } from '@aws-cdk/service-spec-types';

const spec = loadAwsServiceSpecSync();

type Json = Readonly<Record<string, unknown>>;

/** The faults of properties by AWS's own description of the resource type, each with its path. */
export const faultsOf = (id: string, type: string, properties: Json): string[] => {
  const [resource] = spec.lookup('resource', 'cloudFormationType', 'equals', type);
  if (!resource) return [`${id}: ${type} is no resource type`];
  return faultsOfObject(id, resource.properties, properties);
};

const faultsOfObject = (where: string, known: Readonly<Record<string, Property>>, given: Json): string[] => [
  ...Object.keys(given)
    .filter((name) => !(name in known))
    .map((name) => `${where}.${name} is no property`),
  ...Object.entries(known)
    .filter(([name, { required }]) => required && given[name] === undefined)
    .map(([name]) => `${where}.${name} is missing`),
  ...Object.entries(given).flatMap(([name, value]) => {
    const property = known[name];
    return property ? faultsOfValue(`${where}.${name}`, typesOf(property), value) : [];
  }),
];

const typesOf = ({ type, previousTypes = [] }: Property): PropertyType[] =>
  [type, ...previousTypes].flatMap((one) => (one.type === 'union' ? one.types : [one]));

/** Whether CloudFormation evaluates the value, so that its type is unknown here. */
const isIntrinsic = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).length === 1 && /^(?:Ref|Fn::.+)$/.test(Object.keys(value)[0] ?? '');

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The faults by the best-fitting type: a property may have several. */
const faultsOfValue = (where: string, types: readonly PropertyType[], value: unknown): string[] => {
  if (isIntrinsic(value)) return [];
  const attempts = types.map((type) => faultsByType(where, type, value));
  return attempts.sort((a, b) => a.length - b.length)[0] ?? [];
};

const faultsByType = (where: string, type: PropertyType, value: unknown): string[] => {
  const wrong = [`${where} should be ${type.type}, found ${JSON.stringify(value)}`];
  switch (type.type) {
    case 'string':
    case 'date-time':
      return typeof value === 'string' ? [] : wrong;
    case 'integer':
      return Number.isInteger(value) ? [] : wrong;
    case 'number':
      return typeof value === 'number' ? [] : wrong;
    case 'boolean':
      return typeof value === 'boolean' ? [] : wrong;
    case 'array': {
      const element = [type.element];
      return Array.isArray(value)
        ? value.flatMap((one, index) => faultsOfValue(`${where}[${index}]`, element, one))
        : wrong;
    }
    case 'map': {
      const element = [type.element];
      return isObject(value)
        ? Object.entries(value).flatMap(([key, one]) => faultsOfValue(`${where}.${key}`, element, one))
        : wrong;
    }
    case 'ref': {
      const definition = spec.get('typeDefinition', type.reference.$ref);
      return isObject(value) ? faultsOfObject(where, definition.properties, value) : wrong;
    }
    default:
      return [];
  }
};
