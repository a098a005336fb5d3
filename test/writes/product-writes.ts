import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { WriteTemplate } from '../../local/test/table-gateway/write-templates.ts';

/** The writes that the product's tests have sent, one a line. */
const file = path.join(import.meta.dirname, 'product-writes.ndjson');

export const productWrites = (): WriteTemplate[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

interface Input {
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, object>>;
}

/** Notes the writes of calls, and reports those with parts that no write of the list has. */
export const watchWrites = () => {
  const known = new Set(productWrites().flatMap(partsOf));
  const fresh: WriteTemplate[] = [];
  return {
    watch: (operation: string, input: object): void => {
      for (const template of templatesOf(operation, input)) {
        const parts = partsOf(template);
        if (parts.every((part) => known.has(part))) continue;
        for (const part of parts) known.add(part);
        fresh.push(template);
      }
    },
    /** With RECORD_WRITES=1 they are added to the list. */
    mustBeKnown: (): void => {
      const lines = fresh.map((template) => `${JSON.stringify(template)}\n`).join('');
      if (process.env.RECORD_WRITES === '1') appendFileSync(file, lines);
      else if (lines !== '')
        throw new Error(
          `These writes are on no list of the product's writes. RECORD_WRITES=1 lists them:\n${lines}`,
        );
    },
  };
};

function templatesOf(operation: string, input: object): WriteTemplate[] {
  const [, single] = /^(Put|Update|Delete)Item$/.exec(operation) ?? [];
  if (single) return [templateOf(single as WriteTemplate['kind'], input)];
  if (operation !== 'TransactWriteItems') return [];
  const { TransactItems } = input as { TransactItems: readonly Readonly<Record<string, Input>>[] };
  return TransactItems.flatMap((item) =>
    Object.entries(item)
      .filter(([kind]) => kind !== 'ConditionCheck')
      .map(([kind, part]) => templateOf(kind as WriteTemplate['kind'], part)),
  );
}

const templateOf = (kind: WriteTemplate['kind'], input: Input): WriteTemplate => ({
  kind,
  update: input.UpdateExpression,
  condition: input.ConditionExpression,
  names: input.ExpressionAttributeNames,
  types:
    input.ExpressionAttributeValues &&
    Object.fromEntries(
      Object.entries(input.ExpressionAttributeValues).map(([name, value]) => [
        name,
        Object.keys(value)[0] ?? '',
      ]),
    ),
});

/** Its condition and each of its changes, the same for all names and as many placeholders of a type. */
const partsOf = ({ kind, update = '', condition = '', types = {} }: WriteTemplate): string[] => {
  const general = (text: string) => text.replace(/#\w+/g, '#').replace(/:\w+/g, (name) => `:${types[name]}`);
  const changes = general(update)
    .split(/\s*\b(?=(?:SET|REMOVE|ADD|DELETE) )/)
    .flatMap((clause) => {
      const [verb = '', ...rest] = clause.split(' ');
      return rest
        .join(' ')
        .split(/, (?![^(]*\))/)
        .map((change) => `${verb} ${change}`);
    });
  return [`${kind} ${general(condition)}`, ...changes];
};
