import type { TableResource } from '../assembly/assembly.ts';

/** The attributes of a table's key, partition key first. */
export const keyNames = ({ properties: { KeySchema: schema } }: TableResource): string[] =>
  Array.isArray(schema) ? schema.map(({ AttributeName }) => String(AttributeName)) : [];
