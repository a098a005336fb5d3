import { isInIndex, projected } from './keys.ts';
import type { Index } from './table-definition.ts';
import type { Table } from './tables.ts';
import { type Item, isSameItem, itemBytes } from './values.ts';

interface Units {
  table: number;
  readonly indexes: Map<Index, number>;
}

const readUnitBytes = 4096;
const writeUnitBytes = 1024;

export const readUnits = (bytes: number, isConsistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / readUnitBytes)) * (isConsistent ? 1 : 0.5);

export const writeUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / writeUnitBytes));

/** The capacity units that a call takes. */
export class Capacity {
  readonly #tables = new Map<string, Units>();
  readonly #mode: unknown;

  constructor({ ReturnConsumedCapacity: mode }: Readonly<Record<string, unknown>>) {
    this.#mode = mode;
  }

  get isAsked(): boolean {
    return this.#mode === 'TOTAL' || this.#mode === 'INDEXES';
  }

  add(table: Table, units: number, index?: Index): void {
    if (!this.isAsked) return;
    const taken = this.#tables.get(table.name) ?? { table: 0, indexes: new Map() };
    if (index) taken.indexes.set(index, (taken.indexes.get(index) ?? 0) + units);
    else taken.table += units;
    this.#tables.set(table.name, taken);
  }

  /** The response's member, with a comma before it; empty if not requested. */
  text(isList: boolean): string {
    if (!this.isAsked) return '';
    const all = [...this.#tables].map(([TableName, { table, indexes }]) => ({
      TableName,
      CapacityUnits: [...indexes.values()].reduce((sum, units) => sum + units, table),
      ...(this.#mode === 'INDEXES' && { Table: { CapacityUnits: table }, ...ofIndexes(indexes) }),
    }));
    return `,"ConsumedCapacity":${JSON.stringify(isList ? all : all[0])}`;
  }
}

function ofIndexes(all: Units['indexes']): object {
  const named = (isLocal: boolean) => {
    const some = [...all].filter(([index]) => index.isLocal === isLocal);
    return Object.fromEntries(some.map(([{ name }, CapacityUnits]) => [name, { CapacityUnits }]));
  };
  const [global, local] = [named(false), named(true)];
  return {
    ...(Object.keys(global).length > 0 && { GlobalSecondaryIndexes: global }),
    ...(Object.keys(local).length > 0 && { LocalSecondaryIndexes: local }),
  };
}

/** Write units of an index: the removed entry plus the added one, or the larger one if the entry stays. */
export function indexUnits(index: Index, before: Item | undefined, after: Item | undefined): number {
  const [old, fresh] = [before, after].map((item) =>
    item && isInIndex(index, item) ? projected(index, item) : undefined,
  );
  if (!old || !fresh) return old || fresh ? writeUnits(itemBytes((old ?? fresh) as Item)) : 0;
  if (isSameItem(old, fresh)) return 0;
  const [one, other] = [writeUnits(itemBytes(old)), writeUnits(itemBytes(fresh))];
  const stays = index.keys.every(({ name }) => JSON.stringify(old[name]) === JSON.stringify(fresh[name]));
  return stays ? Math.max(one, other) : one + other;
}
