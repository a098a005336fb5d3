import { isRecord } from '../../base/json-values.ts';
import { invalid, wrongValue } from './rejected.ts';

/** A table as CreateTable describes it, with later settings. */
export interface Definition {
  readonly TableName: string;
  readonly KeySchema: readonly KeyElement[];
  readonly AttributeDefinitions: readonly {
    readonly AttributeName: string;
    readonly AttributeType: string;
  }[];
  readonly GlobalSecondaryIndexes?: readonly IndexDefinition[];
  readonly LocalSecondaryIndexes?: readonly IndexDefinition[];
  readonly BillingMode?: string;
  readonly ProvisionedThroughput?: object;
  readonly StreamSpecification?: { readonly StreamEnabled: boolean; readonly StreamViewType?: string };
  readonly TimeToLive?: { readonly Enabled: boolean; readonly AttributeName?: string };
  readonly CreationDateTime: number;
  readonly LatestStreamLabel: string;
}

interface KeyElement {
  readonly AttributeName: string;
  readonly KeyType: string;
}

interface IndexDefinition {
  readonly IndexName: string;
  readonly KeySchema: readonly KeyElement[];
  readonly Projection?: { readonly ProjectionType?: string; readonly NonKeyAttributes?: readonly string[] };
}

export interface KeyPart {
  readonly name: string;
  readonly type: string;
}

export interface Index {
  readonly name: string;
  /** Partition key first. */
  readonly keys: readonly KeyPart[];
  readonly isLocal: boolean;
  /** Undefined: all attributes. */
  readonly projected: ReadonlySet<string> | undefined;
  /** The index's columns in the table of items. */
  readonly columns: readonly string[];
}

export const arnOf = ({ name }: { readonly name: string }): string =>
  `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`;

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html */
const validName = /^[A-Za-z0-9_.-]{3,255}$/;

/** The definition of a table; throws for invalid input. `label` names its stream. */
export function definitionOf(input: Readonly<Record<string, unknown>>, label: string): Definition {
  const { TableName: name, KeySchema } = input;
  if (typeof name !== 'string' || !validName.test(name))
    throw invalid('TableName must be at least 3 characters long and at most 255 characters long');
  if (!Array.isArray(KeySchema) || !KeySchema.every(isRecord) || KeySchema.length === 0)
    throw invalid("The parameter 'KeySchema' is required but was not present in the request");
  const definition = {
    ...input,
    TableId: crypto.randomUUID(),
    CreationDateTime: Date.now() / 1000,
    LatestStreamLabel: label,
    // The rest is checked when its keys are read.
  } as unknown as Definition;
  keyParts(definition, definition.KeySchema);
  for (const index of indexesOf(definition))
    if (!validName.test(index.name))
      throw invalid(
        "Invalid table/index name.  Table/index names must be between 3 and 255 characters long, and may contain only the characters a-z, A-Z, 0-9, '_', '-', and '.'",
      );
  return definition;
}

export function keyParts(
  { AttributeDefinitions = [] }: Definition,
  elements: readonly KeyElement[],
): KeyPart[] {
  return elements.map(({ AttributeName: name }) => {
    const type = AttributeDefinitions.find(({ AttributeName }) => AttributeName === name)?.AttributeType;
    if (type === undefined)
      throw wrongValue('Some index key attributes are not defined in AttributeDefinitions');
    return { name, type };
  });
}

export function indexesOf(definition: Definition): Index[] {
  const { GlobalSecondaryIndexes: global = [], LocalSecondaryIndexes: local = [] } = definition;
  const own = keyParts(definition, definition.KeySchema);
  return [...global, ...local].map((index, i) => {
    const keys = keyParts(definition, index.KeySchema);
    const { ProjectionType = 'ALL', NonKeyAttributes = [] } = index.Projection ?? {};
    const names = [...own, ...keys].map(({ name }) => name);
    return {
      name: index.IndexName,
      keys,
      isLocal: local.includes(index),
      projected: ProjectionType === 'ALL' ? undefined : new Set([...names, ...NonKeyAttributes]),
      columns: keys.map((_, part) => `key_${i}_${part}`),
    };
  });
}

export interface TableStream {
  readonly hasNew: boolean;
  readonly hasOld: boolean;
  readonly view: string;
}

export function streamOf({ StreamSpecification: stream }: Definition): TableStream | undefined {
  if (stream?.StreamEnabled !== true) return undefined;
  const { StreamViewType: view = '' } = stream;
  return { hasNew: view.includes('NEW'), hasOld: view.includes('OLD'), view };
}
